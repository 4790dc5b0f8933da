/** The properties that our charts set by style sheets. */
const DRAWN = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
  'text-anchor',
]

/** A chart as a file of its own: what its style sheet says is written at each element. */
export function standaloneSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const { width, height } = svg.getBoundingClientRect()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(Math.round(width)))
  copy.setAttribute('height', String(Math.round(height)))
  const copies = copy.querySelectorAll('*')
  for (const [at, element] of [...svg.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(element)
    for (const name of DRAWN) copies[at]?.setAttribute(name, style.getPropertyValue(name))
  }
  return new XMLSerializer().serializeToString(copy)
}
