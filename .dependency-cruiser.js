// Who may import whom. `make lint` asks; ARCHITECTURE.md says why.

const PROFILE = "^pipeline/profile/";
const GRAPH = "^pipeline/flamegraph/";
const FORMATS = `${PROFILE}read/(?!input/|stacks/)([^/]+)/`;

/**
 * @param {string} what
 * @param {string | string[]} from
 * @param {string | string[]} to
 */
const never = (what, from, to) => ({
  name: what.replaceAll(" ", "-"),
  comment: what,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

/**
 * Folders from the lowest up: each imports only those before it.
 *
 * @param {string} package_
 * @param {string[][]} layers folders of one layer know nothing of each other
 */
function layered(package_, layers) {
  return layers.flatMap((layer, at) =>
    layer.flatMap((folder) => {
      const beside = layer.filter((each) => each !== folder);
      const others = [...beside, ...layers.slice(at + 1).flat()];
      if (others.length === 0) return [];
      return never(
        `${folder} imports only what is below it`,
        `${package_}${folder}/`,
        others.map((other) => `${package_}${other}/`),
      );
    }),
  );
}

export default {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    { name: "nothing-missing", severity: "error", from: {}, to: { couldNotResolve: true } },
    never(
      "profile knows nothing of pictures",
      PROFILE,
      "^(assets|tests|pipeline/(flamegraph|charts))/",
    ),
    never("flamegraph knows nothing of charts or pages", GRAPH, "^(assets|tests|pipeline/charts)/"),
    never("charts know nothing of pages", "^pipeline/charts/", "^(assets|tests)/"),
    ...layered(PROFILE, [["model"], ["read", "write", "match"], ["diff"], ["changes"], ["cli"]]),
    never("input knows no stacks", `${PROFILE}read/input/`, `${PROFILE}read/(?!input/)`),
    never("what formats share knows no format", `${PROFILE}read/stacks/`, [
      FORMATS,
      `${PROFILE}read/[^/]+$`,
    ]),
    never("a format knows nothing above it", FORMATS, `${PROFILE}read/[^/]+$`),
    {
      ...never("a format knows no other", FORMATS, FORMATS),
      to: { path: FORMATS, pathNot: `${PROFILE}read/$1/` },
    },
    ...layered(GRAPH, [["graph"], ["svg", "viewer"], ["png"], ["cli"]]),
    never(
      "the viewer and the renderer draw one scene",
      `^(?!${GRAPH.slice(1)}graph/scene\\.js|tests/)`,
      `${GRAPH}graph/layout\\.js`,
    ),
    // One page reads captures, with a stand-in for what readers have of Node.
    never("scripts of pages import what runs in browsers", "^assets/js/(?!compare-files/)", [
      `${PROFILE}(read|write|cli)/`,
      `${GRAPH}(svg|png|cli)/`,
    ]),
    {
      name: "what-runs-in-browsers-has-no-Node",
      severity: "error",
      from: {
        path: ["^assets/js/", `${GRAPH}(viewer|graph)/`, `${PROFILE}(model|match|diff|changes)/`],
      },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node"] },
    preserveSymlinks: false,
  },
};
