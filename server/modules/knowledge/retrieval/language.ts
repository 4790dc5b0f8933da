import { wordsOf } from './words'

/** As long as this at least, or a guess is no more than that. */
const LEAST = 12

let loading: Promise<typeof import('eld/small')> | undefined

/** Scripts of one language among chatbots': a word is enough. */
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

/** Characters that tell a language as well as any more would. */
const ENOUGH = 10_000

/** Loads the detector, which holds this thread for some 0.2 s: a server does it before it serves anybody, a thread with its first text. */
export const loadDetector = (): Promise<typeof import('eld/small')> => {
  loading ??= import('eld/small')
  return loading
}

/** The language of a text (ISO 639-1, or `zh-tw`), by its beginning, where it can be told. */
export async function languageOf(whole: string): Promise<string | null> {
  const text = whole.slice(0, ENOUGH)
  return (text.length < LEAST ? null : await detect(text)) ?? byScript(text)
}

const byScript = (text: string): string | null => {
  const language = SCRIPTS.find(([script]) => script.test(text))?.[1]
  return language === undefined ? null : closer(language, text)
}

async function detect(text: string): Promise<string | null> {
  const { eld } = await loadDetector()
  const found = eld.detect(text)
  const language = found.language !== '' && found.isReliable() ? found.language : null
  if (TAKEN_FOR_IT.includes(language) && isSwahili(text)) return 'sw'
  return language && closer(language, text)
}

/** Other names of a language that pages give. */
const NAMES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id', bs: 'hr' }

/** Pairs that the detector knows one of: what tells the other from it, and what speaks against it. */
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
    // what it is called in Latin letters
    other: 'hr',
    its: /\p{sc=Latin}/gu,
    not: /\p{sc=Cyrillic}/gu,
  },
}

/**
 * What a language is nearer to than the detector or a page can say: Afrikaans is taken for Dutch, Indonesian for Malay, and both writings
 * of Chinese and of Serbian are one to them. @param language as one of them has it
 */
export function closer(language: string, text: string): string {
  const name = NAMES[language] ?? (language === 'ms' ? 'id' : language)
  const pair = PAIRS[name]
  if (!pair) return name
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0
  return count(pair.its) > count(pair.not) ? pair.other : name
}

/** Words of Swahili that hardly any other language has: the detector does not know it, and takes it for these or for nothing. */
const SWAHILI = new Set(
  'ya wa kwa cha vya katika hii hiyo huu nini nani gani lini wapi vipi kama pia yako wako lako yangu wangu langu yetu kwenye'.split(
    ' ',
  ),
)
const TAKEN_FOR_IT = [null, 'ms', 'tl']
/** The share of a text that they are, at least. */
const SMALL_WORDS = 0.1

function isSwahili(text: string): boolean {
  const words = wordsOf(text)
  const small = words.filter((word) => SWAHILI.has(word)).length
  return small > 0 && small >= words.length * SMALL_WORDS
}
