import { normalText } from '../../../../engine/values/normalText'

/**
 * Diacritics that writers omit: accents of Latin, Greek and Cyrillic, vowel signs of Arabic and Hebrew. Those of Indic
 * scripts are letters.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]/g
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ة: 'ه',
  ى: 'ي',
  ک: 'ك',
  ی: 'ي',
  ς: 'σ',
}
const ASCII = /^[\0-\x7f]*$/
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Lower case, with one spelling per letter. */
export const plainCase = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : normalText(text, 'NFKC').toLowerCase().normalize('NFC')

/** Removes what fast typists omit from a word of `plainCase`. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word
  const bare = normalText(word, 'NFD').replace(MARKS, '').normalize('NFC')
  return bare.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
}

/** Letters unique to Vietnamese, where omitting a diacritic makes another word. */
const VIETNAMESE = /[ơưăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/

/** Whether the words of a text keep their diacritics. @param language ISO 639-1 if known */
export const keepsMarks = (text: string, language: string | null): boolean =>
  language === 'vi' || (language === null && VIETNAMESE.test(text))
