/** As long as this at least, or a guess is no more than that. */
const LEAST = 12

let loading: Promise<typeof import('eld/small')> | undefined

/** ISO 639-1 of a text, where it can be told. The detector is loaded with the first question. */
export async function languageOf(text: string): Promise<string | null> {
  if (text.length < LEAST) return null
  loading ??= import('eld/small')
  const { eld } = await loading
  const found = eld.detect(text)
  return found.language !== '' && found.isReliable() ? found.language : null
}
