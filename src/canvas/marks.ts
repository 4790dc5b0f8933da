/**
 * A layer of marks that another part of the builder shows on the canvas: badges on blocks, groups and edges, at any
 * zoom. Each source (checker, statistics, comparison, preview) adds and removes its own.
 */
export interface MarkLayer {
  groups?: ReadonlyMap<string, Mark>
  blocks?: ReadonlyMap<string, Mark>
  /** by edge id, `<block id>/<port id>`; a mark of an unconnected port is shown at the port */
  edges?: ReadonlyMap<string, Mark>
}

export interface Mark {
  tone: 'error' | 'warning' | 'info' | 'added' | 'changed' | 'removed' | 'moved' | 'heat' | 'paused' | 'breakpoint'
  /** its meaning: tooltip and accessible name */
  label: string
  /** a few characters in the badge; without them a dot or the tone's icon */
  text?: string
  /** for `heat`: the intensity, 0 to 1 */
  strength?: number
}

export type MarkSource = 'problems' | 'statistics' | 'comparison' | 'breakpoints'
