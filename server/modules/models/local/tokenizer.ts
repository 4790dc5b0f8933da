import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import { LOCAL_MODEL_CAPS } from '../../../contracts/localModels'

/** What is needed of a tokenizer: the numbers of a text's tokens, and the one that stands for unknown ones. */
export interface TextTokenizer {
  idsOf(text: string): number[]
  /** With the tokens that a transformer wants around a text; at most `most`, without the end of a longer text. */
  framedIdsOf(text: string, most: number): number[]
  unknown: number | null
  /** How many tokens it knows. */
  count(): number
}

/** Longer texts are cut: passages have at most some thousand characters. */
const MOST_CHARACTERS = 8_000

const settings = z.looseObject({
  model: z.looseObject({
    unk_token: z.string().nullish(),
    unk_id: z.int().nullish(),
  }),
})

/**
 * Reads `tokenizer.json`. It is foreign, and its expressions may take for ever: only in a thread with limits.
 * @throws Error a sentence for whoever added the file
 */
export async function readTokenizer(folder: string): Promise<TextTokenizer> {
  const json = parsed(await textOf(join(folder, 'tokenizer.json')))
  const known = settings.safeParse(json)
  if (!known.success) throw new Error('tokenizer.json is no tokenizer: take the file beside the model')
  const tokenizer = created(known.data)
  const { unk_token, unk_id } = known.data.model
  const idsOf = (text: string, framed = false) =>
    tokenizer.encode(text.slice(0, MOST_CHARACTERS), { add_special_tokens: framed }).ids
  return {
    unknown: unk_id ?? (unk_token ? (tokenizer.token_to_id(unk_token) ?? null) : null),
    count: () => tokenizer.get_vocab().size,
    idsOf,
    framedIdsOf(text, most) {
      const bare = idsOf(text)
      const framed = idsOf(text, true)
      const before = bare.length === 0 ? framed.length : framed.indexOf(bare[0] as number)
      const after = framed.length - Math.max(0, before) - bare.length
      if (framed.length <= most || after < 0 || after > most) return framed.slice(0, most)
      return [...framed.slice(0, most - after), ...framed.slice(framed.length - after)]
    },
  }
}

function created(json: object): Tokenizer {
  try {
    return new Tokenizer(json, {})
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unknown'
    throw new Error(`tokenizer.json can’t be used: ${reason}`, { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error('tokenizer.json is no JSON, or not all of it came', { cause })
  }
}

async function textOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > LOCAL_MODEL_CAPS['tokenizer.json']) throw new Error('tokenizer.json is too large')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
