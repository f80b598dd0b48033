/**
 * Turns names of waits in MySQL's performance schema into frames, and knows which waits contain
 * others.
 */

/**
 * The operation that was waited for, and its object; empty or NULL where the table has no value.
 *
 * @typedef {object} Operation
 * @property {string} operation `read`, `sync`, `fetch`
 * @property {string} schema
 * @property {string} object a file's or a table's name
 */

/** Names of instruments are at most as long: `EVENT_NAME varchar(128)`. */
const LONGEST_NAME = 128;

/** @param {string} name */
export function isWait(name) {
  return name.length <= LONGEST_NAME && (name === "idle" || /^wait\/[^/]/.test(name));
}

/**
 * Threads that wait for work, which nobody waits for. `idle` is a connection that waits for its
 * client (https://dev.mysql.com/doc/refman/8.4/en/performance-schema-instrument-naming.html); the
 * others are threads of the server's own, waiting for the next job or the next time to look.
 */
const IDLE = new Set([
  "idle",
  "wait/synch/cond/aria/SERVICE_THREAD_CONTROL::COND_control", // Aria's checkpoints
  "wait/synch/cond/mysqlx/scheduler_dynamic_worker_pending", // X Protocol's workers
  "wait/synch/cond/mysys/COND_timer", // statements that may take too long
  "wait/synch/cond/sql/COND_compress_gtid_table",
  "wait/synch/cond/sql/COND_manager", // flushes from time to time
  "wait/synch/cond/sql/COND_queue_state", // the event scheduler
  "wait/synch/cond/sql/COND_thread_cache", // threads kept for the next connection
  "wait/synch/cond/sql/Per_thread_connection_handler::COND_thread_cache",
]);

/** @param {string} name */
export function isIdle(name) {
  return IDLE.has(name);
}

/**
 * Waits that are "molecular and include (overlap with) other events", as the manual says of table
 * I/O (https://dev.mysql.com/doc/refman/8.4/en/performance-schema-atom-molecule-events.html). Table
 * locks are taken by waiting for mutexes, metadata locks by waiting for the condition named here.
 */
export const MOLECULES = [
  {
    start: "wait/lock/metadata/",
    label: "metadata locks",
    inner: /^wait\/synch\/cond\/sql\/MDL_\w+::COND_wait_status$/,
  },
  { start: "wait/io/table/", label: "table I/O", inner: /^wait\/(?:io\/file|synch)\// },
  { start: "wait/lock/table/", label: "table locks", inner: /^wait\/(?:io\/file|synch)\// },
];

/**
 * Return the frames of a wait, the outermost first: the parts of its name, what was done, and to
 * which file or table. An address of a client is none: it differs from one connection to the next.
 *
 *     wait/io/file/innodb/innodb_data_file    wait io file innodb innodb_data_file read orders.ibd
 *     wait/io/table/sql/handler               wait io table sql handler fetch shop.orders
 *
 * @param {string} name
 * @param {Operation} operation
 */
export function framesOf(name, { operation, schema, object }) {
  const below = [operation, objectIn(name, schema, object)];
  return [...name.split("/"), ...below].filter(isKnown);
}

/**
 * Return the frame of a thread, as the table `threads` names them: `thread/innodb/page_cleaner`.
 *
 * @param {string} name NULL where the thread has ended
 */
export function threadFrame(name) {
  return isKnown(name) ? lastPart(name) : "[unknown]";
}

/**
 * @param {string} name
 * @param {string} schema
 * @param {string} object
 */
function objectIn(name, schema, object) {
  if (!isKnown(object) || name.startsWith("wait/io/socket/")) return "";
  if (name.startsWith("wait/io/file/")) return lastPart(object);
  return isKnown(schema) ? `${schema}.${object}` : object;
}

/** @param {string} path of a file, on Windows too, or of a thread */
function lastPart(path) {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** @param {string} value */
function isKnown(value) {
  return value !== "" && value !== "NULL";
}
