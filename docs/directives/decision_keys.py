"""Every key of a decision file, with the values that it takes, from the models that read it."""

from directives.rule_keys import rule_keys
from rollwise.decision_analysis.decision_file import FileTable, StageTable, UtilityTable


def decision_keys() -> str:
    """Return a section for each table of a decision file, with a row for each key."""
    return rule_keys(
        {"The file": FileTable, "`[stages.NAME]`": StageTable, "`[utility]`": UtilityTable}
    )
