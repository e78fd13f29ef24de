/** Who may do what: which buttons and pages are shown. The tracker decides by the same rules (Rights.java, NodeGroups.java). */

const ROLES = ['VIEW', 'OPERATE', 'ADMIN'];

const hasRole = (session, needed) => ROLES.indexOf(session?.role) >= ROLES.indexOf(needed);

/** Whether these names, or beginnings of names with a * behind, stand for the node group. */
export const areAbout = (patterns, group) =>
  patterns.some((pattern) => (pattern.endsWith('*') ? group.startsWith(pattern.slice(0, -1)) : group === pattern));

/** The patterns of the node groups that a viewer may change; none for others, whose role says it. */
const operatedBy = (session) => (session?.role === 'VIEW' ? (session.operates ?? []) : []);

/** Whether the role may be used for this node group; if none is named, for all that are shown. */
export const may = (session, needed, group) =>
  hasRole(session, needed) || (needed === 'OPERATE' && group !== undefined && areAbout(operatedBy(session), group));

/** Whether the role may be used for some node group at least. */
export const maySome = (session, needed) => hasRole(session, needed) || (needed === 'OPERATE' && operatedBy(session).length > 0);
