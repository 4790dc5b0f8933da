/**
 * What other parts of the builder draw on the canvas without knowing it: badges on blocks, groups and edges, at any zoom. Each source
 * (the checker, the statistics, a comparison, the preview) puts its own layer up and takes it down.
 */
export interface MarkLayer {
  groups?: ReadonlyMap<string, Mark>
  blocks?: ReadonlyMap<string, Mark>
  /** by edge id, `<block id>/<port id>`, also of a port that has no edge: the mark stands at the port then */
  edges?: ReadonlyMap<string, Mark>
}

export interface Mark {
  tone: 'error' | 'warning' | 'info' | 'added' | 'changed' | 'removed' | 'moved' | 'heat' | 'paused' | 'breakpoint'
  /** what it means, in words: tooltip, and read out */
  label: string
  /** a few characters shown in the badge; a plain dot or icon of the tone without */
  text?: string
  /** for `heat`: how strongly it is drawn, 0 to 1 */
  strength?: number
}

export type MarkSource = 'problems' | 'statistics' | 'comparison' | 'breakpoints'
