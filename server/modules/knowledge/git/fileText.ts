/** Characters of a file that are looked at. */
const MOST = 1_000_000
const FENCE = /^\s{0,3}(`{3,}|~{3,})/

/**
 * A file's title and text: without the settings at its beginning (front matter) and, of MDX, without what a program
 * would make of it. Its title is what these say, its first heading, or its name.
 */
export function fileText(path: string, whole: string): { title: string; markdown: string } {
  const text = whole
    .slice(0, MOST)
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
  if (/\.txt$/i.test(path)) return { title: name, markdown: text }
  const { settings, body } = frontMatterOf(text)
  const markdown = /\.mdx$/i.test(path) ? withoutCode(body) : body
  const said = /^title:[ \t]*(["']?)(.{1,300})$/m.exec(settings)
  const heading = headingOf(markdown)
  const title = (said?.[2] ?? '').trim().replace(/["']$/, '') || heading || name
  return { title: title.slice(0, 500), markdown }
}

function frontMatterOf(text: string): { settings: string; body: string } {
  const end = text.startsWith('---\n') ? text.indexOf('\n---', 3) : -1
  if (end < 0) return { settings: '', body: text }
  const line = text.indexOf('\n', end + 1)
  return { settings: text.slice(4, end), body: line < 0 ? '' : text.slice(line + 1) }
}

function headingOf(markdown: string): string {
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    fence = fenceAfter(line, fence)
    if (fence === null && /^#{1,3} /.test(line))
      // cut first: an end of many signs takes long to be found
      return line
        .slice(0, 300)
        .replace(/^#+ +/, '')
        .replace(/[ #]+$/, '')
  }
  return ''
}

/** Imports, exports and components of MDX, but not in examples of code. */
function withoutCode(markdown: string): string {
  let fence: string | null = null
  const lines = markdown.split('\n').flatMap((line) => {
    const before = fence
    fence = fenceAfter(line, fence)
    if (before !== null || fence !== null) return [line]
    if (/^(?:import|export)\b/.test(line)) return []
    return [line.replace(/<\/?[A-Z][^<>]{0,2000}>/g, '').replace(/\{\/\*[^*]{0,2000}\*\/\}/g, '')]
  })
  return lines.join('\n')
}

/** The fence of code that is open after a line; null: none. */
function fenceAfter(line: string, open: string | null): string | null {
  const mark = FENCE.exec(line)?.[1]
  if (!mark) return open
  if (open === null) return mark
  return mark[0] === open[0] && mark.length >= open.length ? null : open
}
