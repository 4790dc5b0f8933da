import { fileTypeFromBuffer, supportedExtensions } from 'file-type'
import { acceptsFile } from '../../../../engine/values/acceptedFile'

/** How many bytes of a file's beginning it takes to tell its type. */
export const HEAD = 4_100

export interface FileKind {
  /** as its bytes tell; `text/…` for what reads as text, by its name; else `application/octet-stream` */
  type: string
  /** what its bytes are usually named by; null where they don't tell */
  extension: string | null
}

/** What a visitor's file is, by its first bytes; what its sender calls it proves nothing. */
export async function fileKind(head: Uint8Array, name: string): Promise<FileKind> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return { type: found.mime, extension: found.ext }
  if (!isText(head)) return { type: 'application/octet-stream', extension: null }
  return { type: textTypes[extensionOf(name)] ?? 'text/plain', extension: null }
}

/**
 * Whether a file is among `accept`. A name proves nothing where the bytes could: `.pdf` wants a PDF, `.csv` takes any text of
 * that name.
 */
export function isAccepted(accept: readonly string[], name: string, kind: FileKind): boolean {
  const rules = accept.filter((rule) => !rule.startsWith('.') || mayEndIn(rule.slice(1).toLowerCase(), kind))
  return accept.length === 0 || (rules.length > 0 && acceptsFile(rules, { name, type: kind.type }))
}

/** Whether files of that ending have such bytes. */
function mayEndIn(ending: string, { extension }: FileKind): boolean {
  const usual = aliases[ending] ?? ending
  if (extension === null) return !known.has(usual)
  return extension === usual || mayBe[extension]?.includes(ending) === true
}

/** The letters after a name's last dot, in lower case; empty where there are none. */
const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    // a letter may be cut at the end
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Endings whose files are known by their bytes. */
const known: ReadonlySet<string> = supportedExtensions

const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
}
const aliases: Readonly<Record<string, string>> = { jpeg: 'jpg', jfif: 'jpg', tiff: 'tif', heif: 'heic', oga: 'ogg' }

/** Containers whose beginning does not tell what is in them. */
const mayBe: Readonly<Record<string, readonly string[]>> = {
  zip: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'pages', 'numbers', 'key'],
  cfb: ['doc', 'xls', 'ppt', 'msg'],
  mp4: ['m4v', 'mov', 'm4a'],
  m4v: ['mp4'],
  mov: ['mp4', 'm4v'],
  m4a: ['mp4'],
  mkv: ['webm'],
  ogg: ['ogv', 'opus'],
  ogv: ['ogg'],
  opus: ['ogg'],
}
