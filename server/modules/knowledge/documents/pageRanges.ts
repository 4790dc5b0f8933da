const MOST_RANGES = 20

/** Pages as people name them: "3–7, 9". @param pages numbers in order */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const open = ranges.at(-1)
    if (open && open[1] === page - 1) open[1] = page
    else ranges.push([page, page])
  }
  const named = ranges.slice(0, MOST_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))
  return named.join(', ') + (ranges.length > MOST_RANGES ? ', …' : '')
}
