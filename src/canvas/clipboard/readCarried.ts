import { EngineError } from '../../../engine/errors'
import type { IdSource } from '../../../engine/flow/ids'
import type { Registry } from '../../../engine/flow/registry'
import { FLOW_FORMAT, type Flow, flowCaps } from '../../../engine/flow/schema'
import { recognise } from '../../../engine/interop/products'
import { CLIP_FORMAT, CLIP_VERSION, type Clip, parseClip } from './clip'

/** The result of parsing pasted text: a piece of a flow, of ours or another product's; an error; or just text. */
export type Reading =
  | { is: 'clip'; clip: Clip }
  /** of another product; `kept` blocks are unsupported */
  | { is: 'imported'; clip: Clip; product: string; blocks: number; kept: number }
  | { is: 'refused'; key: string; values: Record<string, string | number> }
  | { is: 'text' }

/** Parses text that may be a piece of a flow, ours or another product's; anything else is just text. */
export async function readCarried(text: string, registry: Registry, newId: IdSource): Promise<Reading> {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return { is: 'text' }
  if (trimmed.length > flowCaps.bytes) return refused('tooLarge', { cap: flowCaps.bytes / 1e6 })
  const value = parseFields(trimmed)
  if (!value) return OURS.test(trimmed.slice(0, 400)) ? refused('broken') : { is: 'text' }
  if (value.format === CLIP_FORMAT) return readClip(value)
  const { importFlow } = await import('../../../engine/interop/importFlow')
  try {
    if (value.format === FLOW_FORMAT) {
      const { flow, others } = importFlow(trimmed, registry, newId)
      return others.length > 0 ? refused('wholeChatbot') : { is: 'clip', clip: clipOfFlow(flow) }
    }
    const recognised = recognise(value)
    if (recognised?.product === 'other') return refused('otherProduct', { product: recognised.other.name })
    if (recognised && (recognised.product !== 'typebot' || isPiece(recognised.file))) {
      const { flow, report } = importFlow(trimmed, registry, newId)
      const blocks = flow.groups.flatMap((group) => group.blocks)
      const kept = report.placeholders.reduce((sum, { count }) => sum + count, 0)
      return {
        is: 'imported',
        clip: clipOfFlow(flow),
        product: PRODUCTS[recognised.product],
        blocks: blocks.length,
        kept,
      }
    }
  } catch (error) {
    return refused('unreadable', { reason: error instanceof EngineError ? (error.detail ?? '') : String(error) })
  }
  return { is: 'text' }
}

function readClip(value: Fields): Reading {
  const clip = parseClip(value)
  if (clip) return { is: 'clip', clip }
  return refused(typeof value.version === 'number' && value.version > CLIP_VERSION ? 'newerClip' : 'broken')
}

const clipOfFlow = ({ groups, edges, variables }: Flow): Clip => ({
  format: CLIP_FORMAT,
  version: CLIP_VERSION,
  flow: null,
  groups,
  blocks: [],
  edges,
  variables,
})

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}

/** The beginning of our clips and exports. */
const OURS = /"format"\s*:\s*"parley-/

/** Typebot's canvas copies at least one group; other text may contain the same words. */
const isPiece = ({ groups, blocks, nodes }: Fields): boolean =>
  [groups ?? blocks ?? nodes].some((list) => Array.isArray(list) && list.length > 0 && list.every(isFields))

const PRODUCTS = { typebot: 'Typebot', dify: 'Dify', flowise: 'Flowise' } as const

const refused = (key: string, values: Record<string, string | number> = {}): Reading => ({
  is: 'refused',
  key,
  values,
})
