import type { LocalModelFile } from '../../../contracts/localModels'

/** Where a model's files are: `folder` ends with a slash. */
export interface ModelPlace {
  folder: string
  /** what people may call it */
  name: string
  /** the name of the file in ONNX that the address gives; null: it gives none, or another file */
  onnx: string | null
}

/** A page on Hugging Face: owner, name, and perhaps a branch and a folder. */
const HUB = /^\/([^/]+\/[^/]+)(?:\/(?:tree|blob|resolve)\/([^/]+)(?:\/(.*))?)?\/?$/
const LAST_FILE = /\/(?:model\.safetensors|tokenizer\.json|config\.json|README\.md|[^/]+\.onnx)$/

/**
 * Reads the address of a model: its page on Hugging Face, a folder of any server, or a file in it.
 * @returns null if it is no such address
 */
export function placeOf(address: string): ModelPlace | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.search !== '') return null
  const path = url.pathname.replace(LAST_FILE, '')
  const onnx = url.pathname.endsWith('.onnx') ? url.pathname.slice(path.length + 1) : null
  if (url.hostname === 'huggingface.co') {
    const [, repository, branch = 'main', below] = HUB.exec(path) ?? []
    if (!repository) return null
    const folder = below ? `${below.replace(/\/$/, '')}/` : ''
    return {
      folder: `${url.origin}/${repository}/resolve/${branch}/${folder}`,
      name: repository.split('/')[1] ?? '',
      onnx,
    }
  }
  const cut = path.replace(/\/$/, '')
  const above = cut.endsWith(IN_ONNX) ? cut.slice(0, -IN_ONNX.length) : cut
  return { folder: `${url.origin}${cut}/`, name: nameOf(above) || url.hostname, onnx }
}

/** The folder in which pages of transformers have their files in ONNX. */
const IN_ONNX = '/onnx'

/** Where a file may be, likeliest first: beside it, or above, is what belongs to a model in a folder `onnx`. */
export function fileAddresses({ folder, onnx }: ModelPlace, file: LocalModelFile): string[] {
  const above = folder.endsWith(`${IN_ONNX}/`) ? [folder.slice(0, -IN_ONNX.length)] : []
  if (file !== 'model.onnx') return [...above, folder].map((each) => `${each}${file}`)
  if (onnx !== null) return [`${folder}${onnx}`]
  return above.length > 0 ? [`${folder}${file}`] : [`${folder}onnx/${file}`, `${folder}${file}`]
}

function nameOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
