// The viewer of the flame graphs on a page.

import "@perfpress/flamegraph/viewer/index.js";
