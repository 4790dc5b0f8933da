import { tokenize } from './words'

/** Shorter texts can only be guessed. */
const LEAST = 12

let loading: Promise<typeof import('eld/small')> | undefined

/** Scripts of a single language: one word is enough. */
const SCRIPTS: readonly [RegExp, string][] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'ja'],
  [/\p{sc=Han}/u, 'zh'],
  [/\p{sc=Hangul}/u, 'ko'],
  [/\p{sc=Thai}/u, 'th'],
  [/\p{sc=Hebrew}/u, 'he'],
  [/\p{sc=Greek}/u, 'el'],
  [/\p{sc=Bengali}/u, 'bn'],
  [/\p{sc=Gujarati}/u, 'gu'],
  [/\p{sc=Tamil}/u, 'ta'],
  [/\p{sc=Telugu}/u, 'te'],
]

/** Characters that are enough for detection. */
const ENOUGH = 10_000

/**
 * Loads the detector, which blocks this thread for some 0.2 s: a server does so before it serves anybody, a worker with
 * its first text.
 */
export const loadDetector = (): Promise<typeof import('eld/small')> => {
  loading ??= import('eld/small')
  return loading
}

/** A likely language is taken for that of a text if so much of the best one's score speaks for it. */
const NEARLY = 0.9

/**
 * Detects the language of a text (ISO 639-1, or `zh-tw`) by its beginning; null if unclear.
 * @param likely of a short text that may be in several: the one that it is in if nearly as much speaks for it
 */
export async function languageOf(whole: string, likely: string | null = null): Promise<string | null> {
  const text = whole.slice(0, ENOUGH)
  return (text.length < LEAST ? null : await detect(text, likely)) ?? byScript(text)
}

const byScript = (text: string): string | null => {
  const language = SCRIPTS.find(([script]) => script.test(text))?.[1]
  return language === undefined ? null : closer(language, text)
}

async function detect(text: string, likely: string | null): Promise<string | null> {
  const { eld } = await loadDetector()
  const found = eld.detect(text)
  const language = found.language !== '' && found.isReliable() ? found.language : null
  const scores: Readonly<Record<string, number>> = found.getScores()
  if (likely && (scores[likely] ?? 0) > NEARLY * (scores[found.language] ?? 1)) return likely
  if (TAKEN_FOR_IT.includes(language) && isSwahili(text)) return 'sw'
  return language && closer(language, text)
}

/** Other codes that pages declare. */
const NAMES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id', bs: 'hr' }

/** Pairs of which the detector knows only one: patterns for the other one, and against it. */
const PAIRS: Readonly<Record<string, { other: string; its: RegExp; not: RegExp }>> = {
  zh: {
    other: 'zh-tw',
    its: /[們個這說時會來對國過還沒麼點為於與樣電話費開關無員購買請問營業嗎裡東車門間學習網頁後發現讓從給動種應該實務處長數據選擇謝錢訂單價號聯絡幫見寫聽讀認識誰條歡]/g,
    not: /[们个这说时会来对国过还没么点为与样电话费开关无员购买请问营业吗东车门间学习网页发现让从给动种应该实务处长数据选择谢钱订单价号联络帮见写听读认识谁条欢]/g,
  },
  nl: {
    other: 'af',
    its: /(?<!\p{L})(?:['’ŉ]n|nie|ek|jy|julle|hulle|hierdie|hoekom|vir|sy|die|word|maak|kry|gister|vanaand)(?!\p{L})/giu,
    not: /(?<!\p{L})(?:een|niet|ik|je|jij|jullie|hun|deze|voor|zijn|wij|we|de|het|mijn|maken|wordt)(?!\p{L})/giu,
  },
  id: {
    other: 'ms',
    its: /(?<!\p{L})(?:boleh|kerana|bila(?:kah)?|sahaja|awak|wang|kereta|pejabat|ialah|hendak|nak|esok|tak|percuma|kedai|syarikat|perkhidmatan|maklumat|manakah|siapakah|berapakah|bagaimanakah|mengapakah|macam|sila)(?!\p{L})/giu,
    not: /(?<!\p{L})(?:bisa|karena|kapan|saja|kamu|uang|mobil|kantor|yaitu|butuh|besok|nggak|gratis|toko|perusahaan|layanan|informasi|silakan|silahkan|beberapa|merupakan|sih|bagaimana cara)(?!\p{L})/giu,
  },
  sr: {
    // when written in Latin letters
    other: 'hr',
    its: /\p{sc=Latin}/gu,
    not: /\p{sc=Cyrillic}/gu,
  },
}

/**
 * Refines a detected or declared language: Afrikaans is detected as Dutch, Indonesian as Malay, and both scripts of
 * Chinese and of Serbian as the same. @param language as detected or declared
 */
export function closer(language: string, text: string): string {
  const name = NAMES[language] ?? (language === 'ms' ? 'id' : language)
  const pair = PAIRS[name]
  if (!pair) return name
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0
  return count(pair.its) > count(pair.not) ? pair.other : name
}

/**
 * Words of Swahili that hardly any other language has: the detector does not know it, and returns one of these or
 * nothing.
 */
const SWAHILI = new Set(
  'ya wa kwa cha vya katika hii hiyo huu nini nani gani lini wapi vipi kama pia yako wako lako yangu wangu langu yetu kwenye'.split(
    ' ',
  ),
)
const TAKEN_FOR_IT = [null, 'ms', 'tl']
/** Their least share of a text. */
const SMALL_WORDS = 0.1

function isSwahili(text: string): boolean {
  const words = tokenize(text)
  const small = words.filter((word) => SWAHILI.has(word)).length
  return small > 0 && small >= words.length * SMALL_WORDS
}
