import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import { LOCAL_MODEL_CAPS } from '../../../contracts/localModels'

/** What is needed of a tokenizer: the numbers of a text's tokens, and the one that stands for unknown ones. */
export interface TextTokenizer {
  idsOf(text: string): number[]
  unknown: number | null
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
  if (!known.success) throw new Error('tokenizer.json is no tokenizer: take the file beside model.safetensors')
  const tokenizer = created(known.data)
  const { unk_token, unk_id } = known.data.model
  return {
    unknown: unk_id ?? (unk_token ? (tokenizer.token_to_id(unk_token) ?? null) : null),
    idsOf: (text) => tokenizer.encode(text.slice(0, MOST_CHARACTERS), { add_special_tokens: false }).ids,
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
