// Colours for code: comments, strings, numbers and keywords, by a few rules that fit most languages. Returns pieces
// [{ kind, text }]; their texts together are the code, unchanged.

const KEYWORDS = new Set(
  `abstract alias and as assert async await begin bool boolean break byte case catch char class const constexpr continue
  crate def default defer del delete do done double elif else elseif end enum esac except export extends extern false
  False fi final finally float fn for foreach from fun func function global go goto if impl implements import in
  include inline instanceof int interface is lambda let local long loop match mod module mut namespace new nil none
  None nonlocal not null nullptr of operator or override package pass private protected pub public raise readonly
  record ref return self short signed sizeof static str string struct super switch template then this throw throws
  trait true True try type typedef typename typeof undefined union unless unsigned until use using val var virtual void
  volatile when where while with yield`.split(/\s+/),
);
const SQL = new Set(
  `add all alter and as asc between by case create delete desc distinct drop else end exists from group having in index
  inner insert into is join key left like limit not null on or order outer primary references right select set table
  then union unique update values view when where`.split(/\s+/),
);

const HASH = "python py sh bash zsh shell console ruby rb yaml yml toml r perl makefile dockerfile ini conf elixir";
const DASHES = "sql lua haskell hs ada";
const MARKUP = "html xml svg vue";
const PLAIN = "text txt plain plaintext output markdown md";
const has = (list, language) => list.split(" ").includes(language);

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`;
const TEMPLATE = "`(?:[^`\\\\]|\\\\[^])*`?";
const TRIPLE = `"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)`;
const NUMBER = String.raw`\b(?:0[xX][\da-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\b`;
const WORD = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const MOST_CHARACTERS = 40_000;

export function highlight(code, language) {
  const name = language.toLowerCase();
  if (!name || has(PLAIN, name) || code.length > MOST_CHARACTERS) return [{ kind: "plain", text: code }];
  const pieces = [];
  let from = 0;
  const push = (kind, text) => text && pieces.push({ kind, text });
  const sql = name.endsWith("sql");
  for (const match of code.matchAll(patternFor(name))) {
    const { comment, string, number, word } = match.groups;
    let kind = comment ? "comment" : string ? "string" : number ? "number" : "plain";
    if (word && (sql ? SQL.has(word.toLowerCase()) : KEYWORDS.has(word))) kind = "keyword";
    else if (word && code[match.index + word.length] === "(") kind = "call";
    if (kind === "plain") continue;
    push("plain", code.slice(from, match.index));
    push(kind, match[0]);
    from = match.index + match[0].length;
  }
  push("plain", code.slice(from));
  return pieces;
}

function patternFor(name) {
  let comments = String.raw`\/\/.*|\/\*[^]*?(?:\*\/|$)`;
  if (has(HASH, name)) comments = String.raw`(?<![^\s(\[{;])#.*`;
  else if (name.endsWith("sql") || has(DASHES, name)) comments = String.raw`--.*`;
  else if (has(MARKUP, name)) comments = String.raw`<!--[^]*?(?:-->|$)`;
  else if (name === "css") comments = String.raw`\/\*[^]*?(?:\*\/|$)`;
  else if (name === "json") comments = String.raw`(?!)`;
  const strings = has(HASH, name) ? `${TRIPLE}|${STRING}` : `${STRING}|${TEMPLATE}`;
  const source = `(?<comment>${comments})|(?<string>${strings})|(?<number>${NUMBER})|(?<word>${WORD})`;
  return new RegExp(source, "gu");
}
