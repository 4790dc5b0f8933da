import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { InputRequest, Reply } from '../../../engine/flow/effects'
import { replyInWords, type WordsAnswer } from '../../../engine/flow/replyInWords'
import { acceptsFile } from '../../../engine/values/acceptedFile'
import type { TerminalInput } from './lines'

/** A visitor's answer, or why the line is invalid. */
export type Answer = WordsAnswer

/** A question as shown in a terminal; empty for a wait. */
export function questionLines(request: InputRequest): string[] {
  if (request.input === 'wait') return []
  if ('options' in request) {
    const options = request.options.map(({ label, ...option }, index) => {
      const url = 'url' in option && option.url ? ` (opens ${option.url})` : ''
      return `  ${index + 1}. ${label}${url}`
    })
    const several = request.input === 'choice' && request.multiple ? ['  Several: 1, 3'] : []
    return [...options, ...several]
  }
  if (request.input === 'form') return []
  if (request.input === 'file')
    return [`  The path of a file${request.maxCount > 1 ? ', or of several with commas between' : ''}`]
  const replies = request.quickReplies?.map(({ label }, index) => `  ${index + 1}. ${label}`) ?? []
  return [...(request.placeholder ? [`  (${request.placeholder})`] : []), ...replies]
}

/** Reads a line as the answer to any question except a form. */
export const readReply = (request: InputRequest, line: string): Answer =>
  request.input === 'file' ? readFiles(request, line.trim()) : replyInWords(request, line)

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
}

function readFiles({ accept, maxCount, maxSize }: InputRequest & { input: 'file' }, line: string): Answer {
  const paths = line.split(',').map((path) => path.trim())
  if (paths.length > maxCount) return { problem: `At most ${maxCount} files are taken.` }
  const files = []
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile()) return { problem: `There is no file ${path}.` }
    const name = basename(path)
    const type = types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
    if (found.size > maxSize) return { problem: `${name} is larger than ${maxSize} bytes.` }
    if (!acceptsFile(accept, { name, type })) return { problem: `${name} is not taken: give ${accept.join(', ')}.` }
    files.push({ name, url: pathToFileURL(resolve(path)).href, type, size: found.size })
  }
  return { type: 'files', files }
}

/** Asks a form field by field; an empty line skips a field. null: the input has ended. */
export async function readForm(
  { fields }: InputRequest & { input: 'form' },
  ask: (question: string) => Promise<TerminalInput>,
): Promise<Reply | null> {
  const values: Record<string, string | string[]> = {}
  for (const { id, label, type, required, choices, placeholder, problem, value } of fields) {
    const options = choices.map((choice, index) => `\n    ${index + 1}. ${choice}`).join('')
    const notes = [
      ...(problem ? [problem] : []),
      ...(type === 'checkbox' ? ['y or n'] : []),
      ...(value !== undefined ? [`so far: ${[value].flat().join(', ')}`] : placeholder ? [placeholder] : []),
    ]
    const typed = await ask(
      `  ${label}${required ? ' *' : ''}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}${options}`,
    )
    if (typed.type === 'end') return null
    const line = typed.type === 'line' ? typed.line.trim() : ''
    if (line === '/skip') return { type: 'skip' }
    const named = (word: string): string => (/^\d+$/.test(word) && choices[Number(word) - 1]) || word
    if (line === '') {
      if (value !== undefined) values[id] = value
    } else if (type === 'multiple') values[id] = line.split(',').map((word) => named(word.trim()))
    else if (type === 'checkbox') values[id] = /^(?:y|yes|true|1)$/i.test(line) ? 'true' : ''
    else values[id] = choices.length > 0 ? named(line) : line
  }
  return { type: 'form', values }
}
