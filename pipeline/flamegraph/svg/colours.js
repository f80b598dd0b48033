/**
 * The light colours of the site, for pictures that have no style sheet: cards and downloaded charts.
 * A test compares them with assets/css/components/tokens.css.
 */
export const COLOURS = {
  paper: "#fffefb",
  ink: "#1d1b17",
  "ink-muted": "#5f5a50",
  rule: "#ddd8cc",
  better: "#0a5a75",
  worse: "#a2301a",
  "line-0": "#2c6ca3",
  "line-1": "#a85a10",
  "line-2": "#3f7a4a",
  "line-3": "#8a4a86",
  "line-4": "#6f695d",
  "line-5": "#a2301a",
};
