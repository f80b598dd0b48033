// Exports a table as Markdown, HTML, text, CSV and JSON.

import { inHtml, inMarkdown } from "./markup.js";

/** @import { TableData, TableRow, CellValue } from "./table-data.js" */

/** Separator of two columns in text. */
const GAP = 2;
/** The least width of a column of a text: that of a tab, as posts align theirs. */
const TAB = 8;

/**
 * Text that a spreadsheet would evaluate as a formula: https://owasp.org/www-community/attacks/CSV_Injection
 * Those of some languages take the wide forms for the others.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** @param {TableData} table */
export function asMarkdown({ caption, rowHead, columns, lines }) {
  const heads = [rowHead, ...columns.map(withUnit)];
  const rule = ["---", ...columns.map(() => "---:")];
  const rows = groupsOf(lines).flatMap(([group, own]) => [
    ...(group ? [[`**${inMarkdown(group)}**`, ...columns.map(() => "")]] : []),
    ...own.map((line) => [withUnit(line), ...line.values.map(({ text }) => text)].map(inMarkdown)),
  ]);
  const table = [heads.map(inMarkdown), rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [...(caption ? [inMarkdown(caption), ""] : []), ...table, ""].join("\n");
}

/**
 * For sites such as Blogger, which keep the styles of elements and have none of ours.
 *
 * @param {TableData} table
 */
export function asHtml({ caption, rowHead, columns, lines }) {
  const cell = "padding: 2px 10px; border-bottom: 1px solid #ccc";
  /** @param {string} text */
  const head = (text) => `<th scope="col" style="${cell}; text-align: left">${inHtml(text)}</th>`;
  /** @param {TableRow} line */
  const row = (line) =>
    `<tr><th scope="row" style="${cell}; text-align: left; font-weight: normal">${inHtml(withUnit(line))}</th>${line.values.map(({ text }) => `<td style="${cell}; text-align: right">${inHtml(text)}</td>`).join("")}</tr>`;
  const rows = groupsOf(lines).flatMap(([group, own]) => [
    ...(group
      ? [
          `<tr><th scope="rowgroup" colspan="${columns.length + 1}" style="${cell}; text-align: left">${inHtml(group)}</th></tr>`,
        ]
      : []),
    ...own.map(row),
  ]);
  return [
    '<table style="border-collapse: collapse">',
    ...(caption ? [`<caption style="text-align: left">${inHtml(caption)}</caption>`] : []),
    `<thead><tr>${[rowHead, ...columns.map(withUnit)].map(head).join("")}</tr></thead>`,
    `<tbody>\n${rows.join("\n")}\n</tbody>`,
    "</table>",
    "",
  ].join("\n");
}

/**
 * As posts paste their tables: a legend, then columns of one letter each, with the label last.
 *
 * @param {TableData} table
 */
export function asText({ caption, rowHead, columns, lines }) {
  const letters = columns.map((_, at) => letterOf(at));
  const legend = columns.map((column, at) => `${letters[at]} - ${withUnit(column)}`);
  const widths = columns.map((_, at) => {
    const longest = Math.max(...lines.map(({ values }) => values[at]?.text.length ?? 0));
    return Math.max(TAB, longest + GAP);
  });
  /** @param {string[]} cells */
  const aligned = (cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? TAB)).join("");
  const body = groupsOf(lines).flatMap(([group, own]) => [
    ...(group ? ["", group] : []),
    ...own.map((line) => aligned(line.values.map(({ text }) => text)) + withUnit(line)),
  ]);
  const head = aligned(letters) + rowHead.toLowerCase();
  return [...legend, "", ...(caption ? [caption] : []), head, ...body, ""].join("\n");
}

/** @param {TableData} table */
export function asCsv({ rowHead, columns, lines }) {
  const grouped = lines.some(({ group }) => group);
  const united = lines.some(({ unit }) => unit);
  /**
   * @param {CellValue} value
   * @returns {string}
   */
  const plain = ({ text, number }) => (number === null ? safe(text) : String(number));
  const heads = [
    ...(grouped ? ["group"] : []),
    ...[rowHead, ...columns.map(withUnit)].map(safe),
    ...(united ? ["unit"] : []),
  ];
  const rows = lines.map(({ group, label, unit, values }) => [
    ...(grouped ? [safe(group)] : []),
    safe(label),
    ...values.map(plain),
    ...(united ? [safe(unit)] : []),
  ]);
  return [heads, ...rows].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

/** @param {TableData} table */
export function asJson({ caption, rowHead, columns, lines }) {
  const rows = lines.map(({ group, label, unit, values }) => ({
    ...(group ? { group } : {}),
    label,
    ...(unit ? { unit } : {}),
    values: values.map(({ text, number }) => number ?? text),
  }));
  return `${JSON.stringify({ caption, row_head: rowHead, columns, rows }, null, 1)}\n`;
}

/**
 * @param {TableRow[]} lines
 * @returns {[string, TableRow[]][]}
 */
function groupsOf(lines) {
  /** @type {[string, TableRow[]][]} */
  const groups = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && last[0] === line.group) last[1].push(line);
    else groups.push([line.group, [line]]);
  }
  return groups;
}

/** @param {{ label: string, unit: string }} named */
function withUnit({ label, unit }) {
  return unit ? `${label}, ${unit}` : label;
}

/**
 * a to z, then aa, ab and so on.
 *
 * @param {number} at
 * @returns {string}
 */
function letterOf(at) {
  const last = String.fromCharCode(97 + (at % 26));
  return at < 26 ? last : letterOf(Math.floor(at / 26) - 1) + last;
}

/** @param {string} text */
function safe(text) {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** @param {string} text */
function quoted(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
