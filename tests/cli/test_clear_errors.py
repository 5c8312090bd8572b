"""Mistakes that users make, and the words of the message that name the problem and the fix."""

import re
import shlex
from pathlib import Path

import pytest

from commands import run
from repository import ROOT
from rollwise.cli.app import ENTRIES

ANY = b'[[categories]]\nkey = "any"\ntitle = "Any"\npattern = { kind = "any" }\npoints = "total"\n'
FILES = {
    "latin.toml": b'name = "caf\xe9"', "latin.txt": b"players: Ren\xe9\n",
    "latin.json": b'{"a": "\xe9"}', "latin.py": b"name = '\xe9'\n", "latin.csv": b"\xe9,1\n",
    "folder/x": b"", "folder.toml/x": b"",
    "empty.txt": b"", "blank.txt": b"\n", "object.json": b"{}",
    "empty.json": b"", "empty.py": b"", "empty.csv": b"", "empty.toml": b"",
    "damaged.toml": b'base = "yatzy"\nname = \n',
    "unknown-base.toml": b'base = "yatsy"\nname = "x"\n',
    "missing-base.toml": b'base = "none.toml"\nname = "x"\n',
    "loop.toml": b'base = "loop.toml"\n',
    "number-base.toml": b"base = 7\n",
    "latin-base.toml": b'base = "latin.toml"\nname = "x"\n',
    "damaged-base.toml": b'base = "damaged.toml"\nname = "x"\n',
    "mine.toml": b'base = "yatzy"\nname = "x"\ntitle = "X"\n',
    "huge.toml": b'name = "x"\ntitle = "X"\ndice = 12\nfaces = 20\nrolls = 3\n' + ANY,
    "wide.toml": b'name = "x"\ntitle = "X"\ndice = 5\nfaces = 20\nrolls = 2\n' + ANY,
    "several.toml": b'name = "Mine"\ndice = 0\n',
    "bet.toml": (ROOT / "examples/decisions/bet.toml").read_bytes(),
    "key.toml": b'base = "yatzy"\nname = "x"\ntitle = "X"\nroll = 4\n',
    "text.toml": b'base = "yatzy"\nname = "x"\ntitle = "X"\nrolls = "three"\n',
    "game.txt": b"rules: micro-yahtzee\n5 double\n4 square\n",
    "roll.txt": b"rules: micro-yahtzee\n57 double\n4 square\n",
    "category.txt": b"rules: micro-yahtzee\n5 dubble\n4 square\n",
    "twice.txt": b"rules: micro-yahtzee\n5 double\n4 double\n",
    "long.txt": b"rules: micro-yahtzee\n5 double\n4 square\n3 square\n",
    "unknown-rules.txt": b"rules: yatsy\n5 double\n",
    "players.txt": b"rules: micro-yahtzee\nplayers: Ada\n",
    "version.jsonl": b'{"format": "rollwise history 9"}\n',
    "number.txt": b"11366 7", "letter.txt": "\xff".encode(),
    "turns.json": b'{"turns": 1}', "keep.json": b'{"events": ["roll 11366", "keep 7"]}',
    "list.json": b"[1, 2]", "other.json": b'{"games": 3}',
    "time.jsonl": b'{"format": "rollwise history 1"}\n{"id": "a", "saved_at": "x"}\n',
    "extra.jsonl": b'{"format": "rollwise history 1"}\n'
    b'{"id": "a", "saved_at": "2026-11-22 10:00", "game": {"foo": 1}}\n',
    "date.json": b'{"date": 99999999999}',
    "damaged.json": b'{"rules": ',
    "positions.txt": b"4\n7\n",
    "text.sqlite": b"a long text that is no database " * 20,
    "syntax.py": b"class Mine\n", "raises.py": b"1 / 0\n",
    "fails.py": b"class Mine:\n    keep = lambda *_: ()\n"
    b"    def score(self, card, dice): return half(dice)\n\ndef half(dice): return 1 / 0\n",
    "nothing.py": b"class Mine:\n    pass\n",
    "utility.csv": b"score,utility\n1,x\n", "gap.csv": b"0,0\n2,1\n", "nan.csv": b"0,0\n1,nan\n",
    "word.csv": b"0,0\n1,much\n", "short.csv": b"0,0\n1\n", "half.csv": b"0,0\n0.5,1\n",
    "negative.csv": b"-1,0\n", "binary.csv": b"\xff\xfe\x00",
    "grid.toml": b"rols = [1, 2]\n", "grid-empty.toml": b"rolls = []\n",
    "settings.toml": b"rules = 3\n", "damaged-settings.toml": b"rules = \n",
}  # fmt: skip
"""Files in the working directory, most of them with a mistake."""

MISTAKES = r"""
# Commands and options
advice 11366 => Unknown command 'advice'. Did you mean 'advise'?
cahce => Unknown command 'cahce'. Did you mean 'cache'?
probability => Unknown command 'probability'. Did you mean 'odds'?
chance => error: Unknown command 'chance'. Did you mean 'odds'?⏎
distribution => error: Unknown command 'distribution'. Did you mean 'report'?⏎
judge => error: Unknown command 'judge'. Did you mean 'compare'?⏎
match => error: Unknown command 'match'. Did you mean 'simulate'?⏎
plan => error: Unknown command 'plan'. Did you mean 'solve'?⏎
proficiency => error: Unknown command 'proficiency'. Did you mean 'history'?⏎
rating => error: Unknown command 'rating'. Did you mean 'history'?⏎
trivia => error: Unknown command 'trivia'. Did you mean 'report'?⏎
worst-game => error: Unknown command 'worst-game'. Did you mean 'report'?⏎
rules shwo yatzy => Unknown command 'shwo'. Did you mean 'show'?
cache clean => Unknown command 'clean'. Did you mean 'clear'?
xyzzy => Unknown command 'xyzzy'. Run 'rollwise --help' for a list of commands.
history remove => Unknown command 'remove'. Run 'rollwise history --help' for a list of commands.
11366 => Unknown command '11366'. For the best move, run: rollwise advise 11366⏎
1 1 3 6 6 --rolls-left 1 => run: rollwise advise 1 1 3 6 6 --rolls-left 1⏎
duel 33345 => run: rollwise advise 33345 --objective beat --opponent CARD --opponent-strategy duel⏎
-11366 => Unknown option '-11366'. Write dice without a hyphen, such as 11366.
help advice => Unknown command 'advice'. Did you mean 'advise'?
--versoin => Unknown option '--versoin'. Did you mean '--version'?
--version=3 => --version takes no value.
advise -11366 => expected 5 dice with faces 1 to 6, got '-11366'
advise 11366 --cards ones=3 => Unknown option '--cards'. Did you mean '--card'?
simulate --game 100 => Unknown option '--game'. Did you mean '--games'?
rules show yatzy --tom => Unknown option '--tom'. Did you mean '--toml'?
cache clear now => There are no saved value tables of 'now'. Run 'rollwise cache' for a list.
compare => Missing STRATEGY. Run 'rollwise compare --help' for help.
frontier restart => Missing SCORE. Run 'rollwise frontier restart --help' for help.
solve --rules => --rules needs a value. Run 'rollwise solve --help' for help.
tournament --rules crag => --players needs a value. Run 'rollwise tournament --help' for help.
odds yahtzee --compare --json => --compare needs a value.
advise 11366 --json=x => --json takes no value.
decide none.toml => none.toml: no such file or folder. Check the path.
decide empty.toml => empty.toml: stages: missing
decide latin.toml => error: latin.toml: not UTF-8 text
# Dice and scorecards
advise 1136 => expected 5 dice with faces 1 to 6, got 4 in '1136'
advise "" => expected 5 dice with faces 1 to 6, got ''
advise 11377 => expected 5 dice with faces 1 to 6, got '11377'
advise 7 --rules micro-yahtzee => expected 1 die with faces 1 to 6, got '7'
advise 4 --rules micro-yahtzee --rolls-left 3 => the number of rolls left must be 0, not 3
advise 4 --rules micro-yahtzee --rolls-left=-1 => the number of rolls left must be 0, not -1
advise 11366 --rolls-left -1 => the number of rolls left must be from 0 to 2, not -1
advise 4 --rules micro-yahtzee --card double=2,square=1 => the scorecard is full
advise "11366 | card ones=3" --card twos=2 => the field 'card' appears twice
greedy 11366 --rolls-left 7 => the number of rolls left must be from 0 to 2, not 7
advise 11366 --card ones=7 => ones cannot score 7; use one of 0, 1, 2, 3, 4, 5
advise 11366 --card ones=9999999 => must be a whole number from 0 to 999999, not '9999999'
advise 11366 --card ones=3,ones=3 => ones appears twice; write it once
advise 11366 --card fullhouse=25 => unknown category 'fullhouse' in yahtzee. Did you mean 'full-h
advise 11366 --rules yatzy --card pair=8 => Did you mean 'one-pair'
advise 11366 --card upper-bonus=35 => leave out upper-bonus: the points of the upper section
advise 11366 --card "Upper bonus 35" => leave out Upper bonus: the points of the upper section
advise 11366 --card "full houze 25" => unknown category 'full houze' in yahtzee. Did you mean 'full-
advise 11366 --card "Full House" => expected a scorecard as 'category=points,…', or
advise 11366 --card ones => expected a scorecard as 'category=points,…', or - if it is empty
history export text.sqlite => text.sqlite already exists. Choose another name, or add --force.
duel --opponent ones=9 => ones cannot score 9; use one of 0, 1, 2, 3, 4, 5
payoff-line 1136 => expected 5 dice with faces 1 to 6, got 4 in '1136'
greedy --json => need dice. For example, run: rollwise greedy 11366 --json
greedy --card sixes=18 => need dice. For example, run: rollwise greedy
greedy 11366 -o x.txt => Leave out the dice.
duel --card ones=3 --opponent double=2 => unknown category 'double' in yahtzee
duel --rules micro-yahtzee --card double=2,square=1 => the game is over
advise --top 3 --rules micro-yahtzee => error: Only a roll can be combined with --top. Add the
  dice, such as 1.⏎
advise --rolls-left 0 --explain --rules micro-yahtzee
  => error: Only a roll can be combined with --rolls-left and --explain. Add the dice, such as 1.⏎
# Odds
odds yahtzee --hand 11366 --rolls-left=-1 => the number of rolls left must be a whole number
odds yahtzee --hand 11 => --hand '11' shows 2 dice, but a turn has 5. Use --dice N.
odds 0001 => the profile '0001' has 4 dice; it must have 5
odds 5 --faces 4 => the profile '5' has 5 different faces; a die has only 4
odds 66667 => nor a roll (a die cannot show 7; its faces are 1 to 6)
odds 00001 --faces 0 => --faces must be a whole number of 1 or more, not '0'
odds foo => unknown target 'foo'. Use a profile such as 201
odds full-houze => error: unknown target 'full-houze'. Did you mean 'full-house'?⏎
odds siks-of-a-kind => Did you mean 'six-of-a-kind'
odds 6-of-a-kind => cannot show '6-of-a-kind'; use --dice 6 or more⏎
odds six-of-a-kind => cannot show 'six-of-a-kind'; use --dice 6 or more⏎
odds large-straight --faces 4 => 4 faces cannot show 'large-straight'; choose a target
odds 00001 --hand 11227 => a die cannot show 7; its faces are 1 to 6
odds 00001 --hand 11223 --compare 44 => '44' cannot be kept from '11223'; keep only dice of the roll
odds 00001 --compare "keep 123456" => '123456' shows 6 dice, but a turn has 5
odds 00001 "keep 1" => Unexpected argument 'keep 1'.
odds 00001 --rolls-left 1 => --rolls-left needs --hand, --compare, or --plot.
odds 00001 --hand 11223 --rolls-left 4 => the number of rolls left must be from 1 to 3, not 4
odds sum --matrices => --matrices would list 252 rolls; the limit is 40
odds 00001 --matrices --compare 1 => --matrices describes a whole turn
odds 00001 --simulate 9 --compare 1 => --simulate cannot be combined with
odds large-straight --diagram x.dot => nodes; it can have at most 200
# Objectives and opponents
advise 11366 --objective wins => unknown objective 'wins'. Use one of expected, worst-case,
advise 11366 --objective beet:greedy => Did you mean 'beat:greedy'?⏎
report --objective worstcase => Did you mean 'worst-case'
compare greedy --objective target => unknown objective 'target'. Did you mean 'target:SCORE'?
advise 11366 --objective target:abc => expected a score from 1 to 999999999, got 'abc'
advise 11366 --objective target:1e400 => expected a score from 1 to 999999999, got '1e400'
solve --objective target:0 => expected a score from 1 to 999999999, got '0'
solve --objective target:1576
  => target:1576 is impossible, because the highest score of yahtzee is 1575
tournament --players 9 --rules yamb-down-up-free => use fewer columns or categories
solve --objective beat: => expected opponents such as 250
solve --objective beat:nobody => no strategy 'nobody'
advise 11366 --objective beat:0*optimal
  => expected a number of opponents from 1 to 10000000000, got '0'
advise 11366 --objective exponential:0 => the risk must be a finite number other than 0, not 0
solve --objective exponential:1 => use a risk between -0.381 and 0.381
solve --objective exponential:nan => expected a risk as a number, got 'nan'
solve --objective exponential:1e-320 => to ignore risk, use the objective expected
solve --objective mean-variance:-1
  => the aversion to variance must be from 1e-15 to 1e+15, not -1
solve --objective mean-variance:1e-20 => if only the mean or only the variance counts, use expected
solve --objective mean-variance:1e308 => if only the mean or only the variance counts, use expected
advise 11366 --objective mean-variance:nan => expected an aversion as a number, got 'nan'
advise 11366 --objective utility:utility.csv => line 2: expected a score and its value, such as 200,
advise 11366 --objective utility:latin.csv => latin.csv is not a CSV file; write a score and its
advise 11366 --objective utility:empty.csv => empty.csv is empty; write a score and its value
solve --objective utility:none.csv => none.csv: no such file or folder. Check the path.
solve --objective utility:binary.csv => binary.csv is not a CSV file
solve --objective utility:gap.csv => line 2: the scores must be consecutive; expected 1, got 2
solve --objective utility:nan.csv => line 2: expected a value between -1e15 and 1e15, got nan
solve --objective utility:word.csv => line 2: expected a score and its value
solve --objective utility:short.csv => line 2: expected a score and its value
solve --objective utility:half.csv => line 2: expected a whole number from 0 to 1000000, got 0.5
solve --objective utility:negative.csv => line 1: expected a whole number from 0 to 1000000, got -1
advise 4 --objective target:9 --explain --rules micro-yahtzee => error: --explain compares expected
  scores. Leave out --explain or --objective target:9.⏎
advise 11366 --objective beat => Add the opponent's scorecard, such as --opponent - for an empty one
advise 11366 --opponent ones=3 => --opponent works only with --objective beat. Add --objective beat
advise 11366 --opponent 250 => use --objective beat:250 instead of --opponent 250.
advise 11366 --objective beat:250 --opponent 250 => use --objective beat:250 instead of --opponent
advise 44216 --card twos=6 --card threes=9 => error: --card is given twice. Write all in one
advise 11366 --opponent-strategy greedy => --opponent-strategy needs an opponent. Add
advise 11366 --opponent-strategy duel => --opponent-strategy needs an opponent
advise 1136 --objective beat --opponent-strategy duel --opponent - => expected 5 dice
advise 11366 --objective beat --opponent-strategy duel --opponent ones=3,twos=6
  => the opponent's scorecard must have 13 open
advise 11366 --card ones=3 --objective beat --opponent-strategy duel --opponent -
  => the opponent's scorecard must have 12 open
advise 11366 --objective beat --opponent-strategy duel --opponent - --opponent -
  => duel is for one opponent, not 2
advise 11366 --rules balut --objective beat --opponent-strategy duel --opponent -
  => the limit is 20 GiB
duel --card ones=3,twos=6 => the opponent's scorecard must have 11 open categories, or 10
duel --opponent ones=3,twos=6 => the opponent's scorecard must have 13 open
duel --ties-lose => leave out --ties-lose
duel --rules balut => the limit is 20 GiB
duel --grid medium => --grid must be one of auto, light, fine, exact, not 'medium'
duel --grid exact => for two players needs about
report --worst --objective target:5 => Use expected or worst-case.
advise 4 --rules micro-yahtzee --objective beat --opponent - --opponent-strategy nobody
  => no strategy 'nobody'
review game.txt --objective fun => unknown objective 'fun'. Use one of expected,
# Strategies
simulate nobody => there is no strategy 'nobody'; use FILE.py:CLASS,
simulate optimal --versus gredy => there is no strategy 'gredy'; use FILE.py:CLASS,
greedy --strategy greedyy => or a name, perhaps greedy
greedy --strategy duel => The strategy duel responds to an opponent
greedy 11366 --strategy gredy-step => Did you mean 'greedy-step'
report --strategy greddy => perhaps greedy
greedy 11366 --strategy random => The greedy strategies are greedy, greedy-discounted,
greedy 11366 --strategy nobody => The greedy strategies are greedy, greedy-discounted,
report --strategy duel => so its score depends on the opponent. Use simulate or compare.
sweep --rolls 1 --strategy duel --rules micro-yahtzee => Use simulate or compare
simulate duel --versus optimal --rules balut => Balut is too large for the strategy duel
report --rules wide.toml --strategy random
  => too many rolls (42,504) and sets of dice to keep (53,130) for random play
payoff-line --rules crag --variant published => no probability for the category
payoff-line --rules generala --variant published => no probability for the category
payoff-line --state 9 => No chain has the state 9.
payoff-line --chain of-a-kind --state 9 => does not have the state 9
payoff-line --chain of-a-kind 16226 => --chain cannot be combined with dice
payoff-line --state 2 --rolls-left 101 => must be from 0 to 100
payoff-line 11366 --state 2 => --state cannot be combined with dice
report --strategy syntax.py:Mine => syntax.py does not run (SyntaxError
report --strategy raises.py:Mine => (raises.py, line 1: ZeroDivisionError: division by zero); fix
report --strategy fails.py:Mine --rules micro-yahtzee
  => fails.py:Mine failed in score at 'dice 1 … '; fails.py, line 5: ZeroDivisionError: division by
report --strategy nothing.py:Mine => has no method keep or worth; define keep(card, dice,
report --strategy nothing.py:Yours => nothing.py has no class Yours; check its name
report --strategy none.py:Mine => none.py: no such file or folder. Check the path.
report --strategy latin.py:Mine => latin.py is not a UTF-8 text file; save it as UTF-8
compare optimal gredy => perhaps greedy
compare empty.py => empty.py has no class agent; check its name
# Rule files
advise 11366 --rules folder.toml => give a file, not a folder
advise 11366 --rules latin.toml => not UTF-8 text; save the file as UTF-8
advise 11366 --rules damaged.toml => damaged.toml: not TOML: Invalid value (at line 2, column 8)
advise 11366 --rules damaged-base.toml => damaged.toml, the base of damaged-base.toml: not TOML
solve --rules unknown-base.toml => line 1, base: 'yatsy': unknown game. Did you mean 'yatzy'
duel --rules missing-base.toml => line 1, base: none.toml: cannot read the rule file
report --rules latin-base.toml => base: latin.toml: cannot read the rule file: not UTF-8 text; save
pocket --rules loop.toml => these files use each other as bases (loop.toml → loop.toml)
advise 11366 --rules jahtzee => 'jahtzee': unknown game. Did you mean 'yahtzee'
rules show nosuch => 'nosuch': unknown game. `rollwise rules list` shows all names; the name of a
rules check number-base.toml => base: expected the name of a preset or of a file, got 7
rules check key.toml => line 4, roll: no such key. Did you mean 'rolls'?
rules check text.toml => line 4, rolls: expected a whole number, got 'three'
rules check empty.toml => name: missing
rules check several.toml
  => faces: missing … categories: missing … name: expected … dice: expected
solve --rules huge.toml => the limit is 200,000
rules check game.txt => the name of a rule file ends in .toml
rules new my.txt => my.txt is not a name for a rule file. Choose a name that ends in .toml.
rules new key.toml => key.toml already exists. Choose another name, or add --force.
rules new mine.toml --base mine.toml --force => cannot be its own base. Choose another file name.
rules new my.toml --base yatsy => Did you mean 'yatzy'
rules new my.toml --base damaged.toml => damaged.toml: not TOML
rules new none/my.toml => The folder of none/my.toml does not exist. Create it first
rules show yatzy --toml --full => error: Choose one of --json, --toml, and --full.⏎
rules show yatzy --toml --json => error: Choose one of --json, --toml, and --full.⏎
rules use none.toml => none.toml: cannot read the rule file: No such file or directory. Check its
rules use yatzy --reset => error: Choose a game or --reset, not both.⏎
sweep --grid none.toml => cannot read the grid file (No such file or directory). Check the path.
sweep --grid latin.toml => latin.toml: not UTF-8 text; save the file as UTF-8
sweep --grid grid.toml => yahtzee has no rule 'rols'. Did you mean 'rolls'?
sweep --vary upper_bonus.pointz=35 => upper_bonus.pointz: no such key. Did you mean 'points'?
sweep --vary uper_bonus.points=35 => Did you mean 'upper_bonus.points'
sweep --vary x=35 => yahtzee has no rule 'x'. Use a key such as rolls,
sweep --grid grid-empty.toml => grid-empty.toml: rolls needs a list of values, such as [0, 35]
sweep --jokers maybe => joker cannot be 'maybe'; write on or off
sweep --rolls x => rolls: expected a whole number
sweep --rolls 30 => rolls: expected a whole number of 20 or less
sweep --vary rolls=1 --vary rolls=2 => rolls is varied twice. Write all values of the clause
sweep --rules crag --vary thirteen.points=26-13 => write the lower number first
# Records, positions, and saved games
review none.txt => none.txt: no such file or folder. Check the path.
review latin.txt => latin.txt is not UTF-8 text; save the record as UTF-8
review empty.txt => the record is empty; write each turn on a line
review blank.txt => the record is empty; write each turn on a line
review object.json => the record is empty;
review other.json => games: no such key
review damaged.json => record: not JSON
review roll.txt => line 2: expected 1 die with faces 1 to 6, got '57'
review category.txt => line 2: unknown category 'dubble' in micro-yahtzee. Did you mean 'double'?
review number.txt => line 1: unknown category '7'
review letter.txt => line 1: expected 5 dice
review turns.json => turns:
review date.json => error: date: expected a date such as 2026-11-22, got 99999999999⏎
review keep.json => events.1:
review game.txt --rules yatsy => unknown game. Did you mean 'yatzy'
review twice.txt => line 3: double is filled, in line 2; correct one of the two lines
review long.txt => line 4: the game is already over; remove this turn
review unknown-rules.txt => line 1: there is no game 'yatsy'. Did you mean 'yatzy'
review game.txt --rules crag => the record is of the game 'micro-yahtzee', not 'crag'; use the rules
review game.txt --chances => win probabilities need a game of two players; this game has 1
review game.txt -o folder => folder is a folder. Give the path of a file.
review game.txt -o game.txt => game.txt is the input. Choose another file for the output.
review game.txt --html ./folder/../game.txt => is the input. Choose another file for the output.
decide bet.toml --diagram bet.toml => bet.toml is the input. Choose another file for the output.
pocket --rules mine.toml -o mine.toml => mine.toml is the input. Choose another file for the output.
greedy -o game.txt => game.txt already exists. Choose another name, or delete the file.
review game.txt --database x.sqlite => --database is the file in which --save saves the game. Add
review players.txt --save => the record has no turns; enter at least one
review roll.txt --save => error: line 2: expected 1 die with faces 1 to 6, got '57'⏎
advise 11366 yatzy => 'yatzy' is not a roll. Perhaps you mean: --rules yatzy
advise 11366 ones=3 => 'ones=3' is not a roll. Perhaps you mean: --card ones=3
report greedy => Unexpected argument 'greedy'. Perhaps you mean: --strategy greedy
advise --file positions.txt --rules micro-yahtzee => positions.txt, line 2: expected 1 die
advise 4 --file positions.txt => --file reads whole positions. Leave out the dice.
advise 4 --file x.txt --explain => error: --file reads whole positions. Leave out --explain and the
  dice.⏎
advise --file latin.txt => latin.txt is not a UTF-8 text file. Save it as UTF-8.
history show nosuch => there is no saved game 'nosuch'; to see all games, run: rollwise history list
mcp now => Unexpected argument 'now'
history delete => add an ID from `rollwise history list`, or --all.
history delete x --all => Choose one game or all games
history import none.json => none.json: no such file or folder. Check the path.
history import latin.json => latin.json is not UTF-8 text.
history import roll.txt => roll.txt, line 2: expected 1 die with faces 1 to 6, got '57'⏎
history import game.txt unknown-rules.txt => unknown-rules.txt, line 1: there is no game 'yatsy'.
history import empty.txt => empty.txt, line 1: the record is empty; write each turn on a line
history import players.txt => players.txt, the record has no turns; enter at least one
history import game.txt --rules crag => the record is of the game 'micro-yahtzee', not 'crag'
history import time.jsonl => time.jsonl, line 2 … saved_at: expected a date and time, got 'x';
history import extra.jsonl => extra.jsonl, line 2 … game.foo: no such key;
history import other.json => other.json, games: no such key
history import version.jsonl => to create an export, run: rollwise history export FILE.jsonl
history export folder => folder is a folder. Give the path of a file.
history list --database mysql://localhost/x => not a mysql database; give the path of a file
history list --database sqlite:///none/x.db => there is no history in none/x.db; give the file
history check --database text.sqlite => text.sqlite: the file is not a history; try
history rating --database none.sqlite => there is no history in none.sqlite; give the file
history rating --name Nobody --rules micro-yahtzee
  => error: 'Nobody' has no finished game of micro-yahtzee. Play one first.⏎
practice --name Nobody --rules micro-yahtzee
  => error: 'Nobody' has no finished game of micro-yahtzee. Play one first.⏎
practice --database sqlite:///x.db => there is no history in x.db; give the file
practice --puzzle x => error: --puzzle 'x' is not a date. Write a date such as 2026-11-22.⏎
practice --puzzle 2026-02-30 => --puzzle '2026-02-30' is not a date. Write a date such as
practice --test --puzzle => error: --test and --puzzle cannot be combined. Choose one of them.⏎
# Numbers
advise 11366 --top=-3 => --top must be a whole number of 1 or more, not '-3'
odds yahtzee --dice 4.6 => --dice must be a whole number of 1 or more, not '4.6'
odds yahtzee --simulate=-5 => --simulate must be a whole number of 2 or more, not '-5'
web --host 999.1.1.1 --port 0 => cannot listen on port 0 of 999.1.1.1
web --port 99999 => --port must be a whole number from 0 to 65535, not '99999'
report --at 200;300 => a score must be a whole number from 0 to 999999, not '200;300'
frontier restart x => SCORE must be a whole number of 1 or more, not 'x'.
tournament --players 1 => --players must be a whole number from 2 to 10000000000, not '1'
tournament --players 10000000001 => --players must be a whole number from 2 to 10000000000, not '1
tournament --players 2.5 => --players must be a whole number from 2 to 10000000000, not '2.5'
frontier restart 9999 => the score must be from 1 to 1575, not 9999
history list --page 0 => --page must be a whole number of 1 or more, not '0'
cache --limit=-1 => --limit must be a number of 0 or more, not '-1'
report --tie-break most => --tie-break must be one of more-dice, fewer-dice, not 'most'
payoff-line 11366 --variant none => --variant must be one of published, corrected,
sweep --rolls 6-1 => the range '6-1' is empty; write the lower number first
# Options that exclude each other, output, and clusters
odds yahtzee --simulate 10 --exact => Choose one of them.
report --openings --at 200 => Combine it only with --rules, --tie-break, --json, and --quiet.
report --worst --openings => Combine it only with --dice, --rules, --objective, --json, and --quiet.
report --dice adversarial => --dice adversarial changes the worst game. Add --worst.
simulate --transcript => --transcript needs an opponent. Add --versus STRATEGY.
simulate optimal --versus greedy --cluster local:1 => Leave out --cluster.
solve --cores 8 => Several --rules, --players, and --cores need --estimate. Add --estimate.
sweep --cluster nowhere => no Dask scheduler responds at 'nowhere'; start a scheduler,
solve --cluster local => --cluster 'local' has no number of processes. Write local:2, for example.
tree --whole => --whole changes a picture. Add --output FILE.
simulate --games 10 -o folder => folder is a folder. Give the path of a file.
simulate --games 10 -o none/x.csv => The folder of none/x.csv does not exist. Create it first
tree --dot none/x.dot => The folder of none/x.dot does not exist. Create it first
review game.txt --html none/x.html => The folder of none/x.html does not exist. Create it first
history export none/all.json => The folder of none/all.json does not exist. Create it first
decide bet.toml --diagram none/x.svg => The folder of none/x.svg does not exist. Create it first
decide bet.toml --diagram x.pdf => cannot draw to 'x.pdf'; use a name that ends in .svg, .png
pocket --rules maxi-yatzy-no-saving => 37,584,896 values, and the limit is 2,000,000
pocket --objective target:300 => does not support the objective target:300
pocket --all site -o game.html => Leave out --output.
odds 00001 --diagram x.pdf => cannot draw to 'x.pdf'; use a name that ends in .svg
odds 00001 --diagram empty.txt/b.dot
  => empty.txt/b.dot: part of the path is a file, not a folder. Choose another path.
payoff-line --plot x.foo => use a name with an image suffix, such as .png or .svg
report --plot game.txt => game.txt is a file. Give the name of a folder.
play --against optimal => rollwise play needs a terminal. Run it without a pipe
verify nosuch => the groups are huber, verhoeff,
# Environment variables
ROLLWISE_RULES=yatsy advise 11366 => error: The default game, yatsy, does not exist (set by
  ROLLWISE_RULES). Change or unset ROLLWISE_RULES.⏎
ROLLWISE_RULES=none.toml report => The default game, none.toml, does not exist (set by
ROLLWISE_RULES=folder.toml duel => folder.toml, does not exist
ROLLWISE_RULES=damaged.toml simulate => damaged.toml: not TOML
ROLLWISE_SETTINGS=settings.toml advise 11366 => Run `rollwise rules use --reset`.
ROLLWISE_SETTINGS=damaged-settings.toml report => settings.toml does not name a default game. Run
ROLLWISE_SETTINGS=folder rules use => folder: cannot read the settings (
ROLLWISE_SETTINGS=folder report => Set ROLLWISE_SETTINGS to the path of another file.
ROLLWISE_SETTINGS=folder rules use yatzy => folder: cannot save the settings (
ROLLWISE_SETTINGS=game.txt/x.toml rules use yatzy => Set ROLLWISE_SETTINGS to the path of another
ROLLWISE_SETTINGS=folder rules use --reset => Set ROLLWISE_SETTINGS to the path of another file.
ROLLWISE_CACHE_LIMIT=abc advise 11366 => ROLLWISE_CACHE_LIMIT is 'abc'; set it to a number of
ROLLWISE_CACHE_LIMIT=much cache => ROLLWISE_CACHE_LIMIT is 'much'; set it to a number of gigabytes
ROLLWISE_DATABASE=mysql://x/y history list => not a mysql database; give the path of a file
ROLLWISE_DATABASE=folder practice => check the file in --database or ROLLWISE_DATABASE
"""
"""Command lines, each with parts of its message, separated by …; ⏎ is the end of its line.

A line that begins with a space continues the previous line.
"""

CASES = [
    tuple(line.split(" => "))
    for line in MISTAKES.replace("\n  ", " ").strip().splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files."""
    folder = tmp_path_factory.mktemp("mistakes")
    for name, content in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(autouse=True)
def _user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder, with neither settings nor saved games."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ROLLWISE_SETTINGS", str(folder / "none" / "settings.toml"))
    monkeypatch.setenv("ROLLWISE_DATABASE", f"sqlite:///{folder}/none.sqlite")


def content_of(folder: Path) -> dict[str, bytes]:
    """Return the content of all files in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_every_command_has_a_mistake() -> None:
    commands = " ".join(line for line, _ in CASES)
    assert len(CASES) >= 100
    assert len({line for line, _ in CASES}) == len(CASES)
    for command in ENTRIES:
        assert re.search(rf"\b{command}\b", commands), command


@pytest.mark.parametrize(("line", "words"), CASES, ids=[line for line, _ in CASES])
def test_the_message_names_the_fix(
    line: str, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in re.findall(r"ROLLWISE_\w+=\S+", line):
        monkeypatch.setenv(*variable.split("="))
    code, out, error = run(*shlex.split(re.sub(r"ROLLWISE_\w+=\S+ ", "", line).replace(";", r"\;")))
    assert (code, out) == (2, "")
    assert all(part in error.replace("\n", "⏎") for part in words.split(" … "))
    first, *more = error.splitlines()
    assert first.startswith("error: ")
    # A rule file can have several mistakes, each on an indented line.
    assert not more or re.search(r": \d+ mistakes? in the rules$", first)
    assert all(row.startswith("  ") for row in more)
    assert {
        name: text for name, text in content_of(folder).items() if FILES.get(name) != text
    } == {}
    assert {path.name for path in folder.iterdir()} == {name.partition("/")[0] for name in FILES}


@pytest.mark.parametrize(
    "line",
    [
        "simulate optimal --versus gredy",
        "compare optimal gredy",
        "report --strategy duel",
        "review game.txt --chances",
    ],
)
def test_a_wrong_command_solves_nothing(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollwise.solving.solver.Solver.solve", None)
    assert run(*line.split())[0] == 2


@pytest.mark.parametrize(
    "options",
    [
        "--against nobody",
        "--against duel --against greedy",
        "--name A;B",
        "--objective beet:greedy",
        "--output none/x.txt",
        "--output game.txt",
        "--resume roll.txt --output game.txt",
        "--rules yatsy",
    ],
)
def test_a_wrong_game_creates_no_history(
    options: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rollwise.cli.streams.is_interactive", lambda: True)
    before = content_of(folder)
    assert run("play", *options.split())[0] == 2
    assert content_of(folder) == before
