import { fold, plainCase } from '../../knowledge/retrieval/fold'
import type { AnswerSettings } from './settings'
import { codeOf, type SmallTalkKind, smallTalkKinds, textsIn, visitorTexts } from './visitorTexts'

/** A message that greets, thanks or the like, without a question. */
export interface SmallTalk {
  kind: SmallTalkKind
  /** codes of the languages it may be in; empty: any */
  languages: string[]
}

/** Emoji with the same meaning. */
const SIGNS: Partial<Record<SmallTalkKind, string[]>> = { greeting: ['👋'], thanks: ['🙏', '❤'], fine: ['👍', '👌'] }

/** Longer messages say something else as well. */
const MOST_CHARACTERS = 100
/** “Hi! How are you? Thanks!” */
const MOST_PARTS = 4

const APOSTROPHES = /['’‘ʼ`׳\u200c\u200d]/g
/** A word, a character of a script without spaces, or a symbol. */
const TOKEN = new RegExp(
  `${Object.values(SIGNS).flat().join('|')}|[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー]|\\p{sc=Thai}|[\\p{L}\\p{M}\\p{N}]+?(?=[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}]|[^\\p{L}\\p{M}\\p{N}]|$)`,
  'gu',
)
const tokensOf = (text: string): string[] => plainCase(text.replace(APOSTROPHES, '')).match(TOKEN) ?? []

type Phrases = Map<string, SmallTalk[]>
let made: Phrases | undefined

/** By their tokens, as written and without diacritics. */
function phrases(): Phrases {
  const known: Phrases = new Map()
  const add = (phrase: string, kind: SmallTalkKind, language: string | null) => {
    const tokens = tokensOf(phrase)
    for (const key of new Set([tokens.join(' '), tokens.map(fold).join(' ')])) {
      const meanings = known.get(key) ?? []
      known.set(key, meanings)
      const same = meanings.find((meaning) => meaning.kind === kind)
      if (!same) meanings.push({ kind, languages: language === null ? [] : [language] })
      else if (language !== null && !same.languages.includes(language)) same.languages.push(language)
    }
  }
  for (const [language, { said }] of visitorTexts)
    for (const kind of smallTalkKinds) for (const phrase of said[kind]) add(phrase, kind, language)
  for (const kind of smallTalkKinds) for (const sign of SIGNS[kind] ?? []) add(sign, kind, null)
  return known
}

/**
 * Whether a message is nothing but small talk, and of which kind; otherwise null.
 * @param names of the chatbot, which a greeting may contain
 * @param likely the likely language, for phrases whose meaning depends on it
 */
export function smallTalkOf(message: string, names: readonly string[], likely: string | null): SmallTalk | null {
  if (message.length > MOST_CHARACTERS) return null
  const whole = tokensOf(message)
  return understood(whole, likely) ?? understood(without(whole, names), likely)
}

/**
 * The reply to a message that is only small talk, in its language; null if it asks something.
 * @param spoken the configured or detected language
 */
export function replyTo(
  message: string,
  { name, business, language: set }: AnswerSettings,
  spoken: string | null,
): string | null {
  const talk = smallTalkOf(message, [name, business.name], spoken)
  if (!talk) return null
  const fits = codeOf(set) !== null || talk.languages.length === 0 || talk.languages.includes(spoken ?? '')
  const other = talk.languages.includes('en') ? 'en' : (talk.languages[0] ?? null)
  const reply = textsIn(fits ? spoken : other).replies[talk.kind]
  return reply.replace('{name}', () => business.name.trim() || name)
}

/** Whether two texts have the same words, regardless of spelling variants. */
export const isSame = (one: string, other: string): boolean =>
  tokensOf(one).map(fold).join(' ') === tokensOf(other).map(fold).join(' ')

function understood(tokens: readonly string[], likely: string | null): SmallTalk | null {
  made ??= phrases()
  const parts = partsOf(made, tokens, MOST_PARTS) ?? partsOf(made, tokens.map(fold), MOST_PARTS)
  if (!parts || parts.length === 0) return null
  const meant = parts.map(
    (meanings) =>
      meanings.find(({ languages }) => likely !== null && languages.includes(likely)) ??
      meanings.reduce((one, other) => (rank(other) < rank(one) ? other : one)),
  )
  const main = meant.reduce((one, other) => (rank(other) > rank(one) ? other : one))
  return { kind: main.kind, languages: narrowed(main.languages, parts) }
}

const rank = ({ kind }: SmallTalk): number => smallTalkKinds.indexOf(kind)

/** The languages that all parts have in common; if there is none, those of the main part. */
function narrowed(languages: readonly string[], parts: readonly SmallTalk[][]): string[] {
  const common = languages.filter((language) =>
    parts.every((meanings) =>
      meanings.some((each) => each.languages.length === 0 || each.languages.includes(language)),
    ),
  )
  return common.length > 0 ? common : [...languages]
}

/** Splits tokens into phrases, longest first; null if something is left over. */
function partsOf(known: Phrases, tokens: readonly string[], most: number): SmallTalk[][] | null {
  if (tokens.length === 0) return []
  if (most === 0) return null
  for (let end = tokens.length; end > 0; end--) {
    const meanings = known.get(tokens.slice(0, end).join(' '))
    const rest = meanings && partsOf(known, tokens.slice(end), most - 1)
    if (rest) return [meanings, ...rest]
  }
  return null
}

/** The tokens without the names. */
function without(tokens: readonly string[], names: readonly string[]): string[] {
  let text = ` ${tokens.map(fold).join(' ')} `
  for (const name of names) {
    const called = tokensOf(name).map(fold).join(' ')
    if (called !== '') text = text.replaceAll(` ${called} `, ' ')
  }
  return text.trim().split(' ').filter(Boolean)
}
