const SVG = 'http://www.w3.org/2000/svg'

export const DOWN = 'm6 9.5 6 6 6-6'
export const CLOSE = 'M6 6l12 12M18 6 6 18'

/** @param lines on a field of 24 by 24 */
export function icon(lines: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', lines)
  svg.appendChild(path)
  return svg
}
