import { type TreeElement, visit } from './tree'

const LANGUAGE = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s?)([\w+#-]{1,20})/
const MOST_NAMES = 300
const LINES = new Set(['div', 'p', 'li', 'tr'])

/** Code in a line, '' if there is none. */
export function inlineCode(element: TreeElement): string {
  const text = lettersOf(element).replace(/\s+/g, ' ').trim()
  const marks = '`'.repeat(longestRun(text) + 1)
  const between = marks.length > 1 ? ' ' : ''
  return text && `${marks}${between}${text}${between}${marks}`
}

/** What is formatted already, between fences; '' if there is nothing. */
export function fencedCode(element: TreeElement): string {
  const text = withoutBlankStart(lettersOf(element)).trimEnd()
  if (text === '') return ''
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${languageOf(element)}\n${text}\n${fence}`
}

/** Its text with the lines that it has. */
function lettersOf(element: TreeElement): string {
  let text = ''
  const newLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
  }
  visit(element, {
    text(more) {
      text += more
    },
    open({ tag }) {
      if (tag === 'br') text += '\n'
      return LINES.has(tag) ? newLine : () => {}
    },
  })
  return text.replace(/\r\n?/g, '\n')
}

/** The language is said of the code, or of what is around it. */
function languageOf(element: TreeElement): string {
  const [inner] = element.children.filter((node) => typeof node !== 'string')
  for (const { attributes } of [element, ...(inner ? [inner] : [])]) {
    const said = LANGUAGE.exec((attributes.class ?? '').slice(0, MOST_NAMES))?.[1]
    if (said) return said
  }
  return ''
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

function withoutBlankStart(text: string): string {
  const first = text.search(/\S/)
  return first < 0 ? '' : text.slice(text.lastIndexOf('\n', first) + 1)
}
