import { fileTypeFromBuffer, supportedExtensions } from 'file-type'
import { acceptsFile } from '../../../../engine/values/acceptedFile'

/** The number of a file's first bytes needed to detect its type. */
export const HEAD = 4_100

export interface FileKind {
  /** the MIME type detected from the bytes; `text/…` by the name for text; else `application/octet-stream` */
  type: string
  /** the usual extension for the detected type; null if it can't be detected */
  extension: string | null
}

/** Detects a visitor's file type by its first bytes: the type and name that its sender gives can be wrong. */
export async function fileKind(head: Uint8Array, name: string): Promise<FileKind> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return { type: found.mime, extension: found.ext }
  if (!isText(head)) return { type: 'application/octet-stream', extension: null }
  return { type: textTypes[extensionOf(name)] ?? 'text/plain', extension: null }
}

/**
 * Whether a file is among `accept`. If the bytes can prove a type, the name does not: `.pdf` needs a PDF, while `.csv`
 * takes any text of that name.
 */
export function isAccepted(accept: readonly string[], name: string, kind: FileKind): boolean {
  const rules = accept.filter((rule) => !rule.startsWith('.') || mayEndIn(rule.slice(1).toLowerCase(), kind))
  return accept.length === 0 || (rules.length > 0 && acceptsFile(rules, { name, type: kind.type }))
}

/** Whether files with that extension can have such bytes. */
function mayEndIn(ending: string, { extension }: FileKind): boolean {
  const usual = aliases[ending] ?? ending
  if (extension === null) return !known.has(usual)
  return extension === usual || mayBe[extension]?.includes(ending) === true
}

/** The characters after a name's last dot, in lower case; empty if there are none. */
const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    // the last character may be cut off
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Extensions whose files can be detected by their bytes. */
const known: ReadonlySet<string> = supportedExtensions

const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
}
const aliases: Readonly<Record<string, string>> = { jpeg: 'jpg', jfif: 'jpg', tiff: 'tif', heif: 'heic', oga: 'ogg' }

/** Container formats whose first bytes don't tell what they contain. */
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
