/** Which found pages to train: all but some, or only some. So the choice also covers pages found later. */
export interface PageChoice {
  mode: 'all' | 'some'
  /** excluded, or included */
  urls: ReadonlySet<string>
}

export const choiceOf = (mode: PageChoice['mode']): PageChoice => ({ mode, urls: new Set() })

export const isChosen = ({ mode, urls }: PageChoice, url: string): boolean => (mode === 'all') !== urls.has(url)

export function toggled({ mode, urls }: PageChoice, url: string): PageChoice {
  const changed = new Set(urls)
  if (!changed.delete(url)) changed.add(url)
  return { mode, urls: changed }
}

export const countChosen = ({ mode, urls }: PageChoice, found: number): number =>
  mode === 'all' ? Math.max(0, found - urls.size) : urls.size
