import { fold, plainCase } from '../../knowledge/retrieval/fold'
import type { AnswerSettings } from './settings'
import { codeOf, type SmallTalkKind, smallTalkKinds, textsIn, visitorTexts } from './visitorTexts'

/** A message that greets, thanks or the like, and asks nothing. */
export interface SmallTalk {
  kind: SmallTalkKind
  /** in which it may be said, by their codes; none: in any */
  languages: string[]
}

/** What says it without words. */
const SIGNS: Partial<Record<SmallTalkKind, string[]>> = { greeting: ['👋'], thanks: ['🙏', '❤'], fine: ['👍', '👌'] }

/** Longer messages say something else as well. */
const MOST_CHARACTERS = 100
/** “Hi! How are you? Thanks!” */
const MOST_PARTS = 4

const APOSTROPHES = /['’‘ʼ`׳\u200c\u200d]/g
/** A word; a letter of a script that puts no spaces between words; or a sign. */
const TOKEN = new RegExp(
  `${Object.values(SIGNS).flat().join('|')}|[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー]|\\p{sc=Thai}|[\\p{L}\\p{M}\\p{N}]+?(?=[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}]|[^\\p{L}\\p{M}\\p{N}]|$)`,
  'gu',
)
const tokensOf = (text: string): string[] => plainCase(text.replace(APOSTROPHES, '')).match(TOKEN) ?? []

type Phrases = Map<string, SmallTalk[]>
let made: Phrases | undefined

/** By their tokens, as they are written and without marks. */
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
 * Whether a message is nothing but small talk, and which; null where it says anything else.
 * @param names of the chatbot, which a greeting may hold
 * @param likely the language that is spoken, where a phrase means one thing here and another there
 */
export function smallTalkOf(message: string, names: readonly string[], likely: string | null): SmallTalk | null {
  if (message.length > MOST_CHARACTERS) return null
  const whole = tokensOf(message)
  return understood(whole, likely) ?? understood(without(whole, names), likely)
}

/**
 * What is replied to a message that is nothing but small talk, in the words of its language; null where it asks something.
 * @param spoken the language that is set or spoken, where it can be told
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

/** Whether two texts say the same in the same words, however they are written. */
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

/** The languages that all parts may be in; those of the main one where they are mixed. */
function narrowed(languages: readonly string[], parts: readonly SmallTalk[][]): string[] {
  const common = languages.filter((language) =>
    parts.every((meanings) =>
      meanings.some((each) => each.languages.length === 0 || each.languages.includes(language)),
    ),
  )
  return common.length > 0 ? common : [...languages]
}

/** Cuts tokens into phrases, the longest first; null where something is left over. */
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

/** The tokens without the names, wherever they stand. */
function without(tokens: readonly string[], names: readonly string[]): string[] {
  let text = ` ${tokens.map(fold).join(' ')} `
  for (const name of names) {
    const called = tokensOf(name).map(fold).join(' ')
    if (called !== '') text = text.replaceAll(` ${called} `, ' ')
  }
  return text.trim().split(' ').filter(Boolean)
}
