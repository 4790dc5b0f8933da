import type { LocalModelFile } from '../../../contracts/localModels'

/** Where a model's files are: `folder` ends with a slash. */
export interface ModelPlace {
  folder: string
  /** what people may call it */
  name: string
}

/** A page on Hugging Face: owner, name, and perhaps a branch and a folder. */
const HUB = /^\/([^/]+\/[^/]+)(?:\/(?:tree|blob|resolve)\/([^/]+)(?:\/(.*))?)?\/?$/
const LAST_FILE = /\/(?:model\.safetensors|tokenizer\.json|config\.json|README\.md)$/

/**
 * Reads the address of a model: its page on Hugging Face, a folder of any server, or a file in it.
 * @returns null if it is no such address
 */
export function placeOf(address: string): ModelPlace | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.search !== '') return null
  const path = url.pathname.replace(LAST_FILE, '')
  if (url.hostname === 'huggingface.co') {
    const [, repository, branch = 'main', below] = HUB.exec(path) ?? []
    if (!repository) return null
    const folder = below ? `${below.replace(/\/$/, '')}/` : ''
    return { folder: `${url.origin}/${repository}/resolve/${branch}/${folder}`, name: repository.split('/')[1] ?? '' }
  }
  const cut = path.replace(/\/$/, '')
  return { folder: `${url.origin}${cut}/`, name: nameOf(cut) || url.hostname }
}

export const fileAddress = ({ folder }: ModelPlace, file: LocalModelFile): string => `${folder}${file}`

function nameOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
