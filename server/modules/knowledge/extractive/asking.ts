/** The kind of answer that a question wants, in languages with a word for it. */
export interface Wanted {
  time: boolean
  amount: boolean
  /** of a person, a place, a thing */
  name: boolean
}

const TIME =
  /\b(when|(what|which) (year|date)|wann|welche[mns]? jahr|cu[aá]ndo|año|quand|quando|wanneer|kiedy|kdy|ne zaman|kapan)\b|когда|каком году|коли|متى|عام|什么时候|何时|哪一年|哪年|いつ|何年|언제|เมื่อ(ใด|ไหร่|ไร)|ปี(ใด|ไหน)|कब/iu
const AMOUNT =
  /\b(how (many|much|long|old|far|often|high|tall|large|big)|what (time|percentage|number)|wie ?viele?|wie (lange|oft|hoch|alt|weit)|cu[aá]nt[oa]s?|combien|quant[oiae]|hoeveel|ile|kolik|kaç|berapa)\b|сколько|скільки|كم|几|幾|多少|いくつ|いくら|何[時月日人個]|몇|얼마|กี่|เท่าไร|เท่าไหร่|कितन/iu
const NAME =
  /\b(who|whom|whose|where|which|wer|wem|wen|wo|welche[rsnm]?|qui[eé]n(es)?|d[oó]nde|qui|où|quel(le)?s?|chi|dove|quem|onde|wie|waar|kto|gdzie|kdo|kde|kim|nerede)\b|кто|где|кого|какой|хто|من|أين|谁|誰|哪|どこ|だれ|누구|어디|ใคร|ที่ไหน|कौन|कहाँ/iu
const ASKING =
  /(?<![\p{L}\p{M}])(who|whom|whose|what|which|where|when|why|how|was|wer|wen|wem|wo|wann|warum|wie|welche[rsnm]?|qu[eé]|qui[eé]n(es)?|cu[aá]l(es)?|d[oó]nde|cu[aá]ndo|c[oó]mo|qui|quoi|quel(le)?s?|où|quand|comment|pourquoi|chi|che|quale|dove|quando|come|perch[eé]|quem|onde|qual|kto|co|gdzie|kiedy|jak|кто|что|где|когда|как|какой|какая|какие|какое|почему|сколько|من|ما|ماذا|أين|متى|كيف|كم|لماذا|هل)(?![\p{L}\p{M}])/giu

/** A question has at most one kind: time before amount, amount before name. */
export function wantedBy(question: string): Wanted {
  const time = TIME.test(question)
  const amount = !time && AMOUNT.test(question)
  return { time, amount, name: !time && !amount && NAME.test(question) }
}

/** A question without its question words, which say nothing about a sentence that contains them. */
export const withoutAsking = (question: string): string => question.replace(ASKING, ' ')

const NUMBER = /\p{N}+(?:[.,]\p{N}+)*/gu
const YEAR = /(?<!\p{N})(1\d{3}|20\d{2}|[١٢]\p{N}{3}|[๑๒]\p{N}{3})(?!\p{N})/u
const IN_WORDS =
  /(?<![\p{L}\p{M}])(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|millionen|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien|mil|millones|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|cent|mille|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|два|две|двух|три|трех|четыре|пять|шесть|семь|восемь|девять|десять|сто|тысяч|миллион\p{L}*|اثنان|اثنين|ثلاثة|ثلاث|أربعة|أربع|خمسة|خمس|ستة|سبعة|ثمانية|تسعة|عشرة|مائة|ألف|مليون)(?![\p{L}\p{M}])|[〇一二三四五六七八九十百千万億亿两兩](?=[年月日个個人次种種名])|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ|ร้อย|พัน|ล้าน/iu
const CAPITAL = /(?<=[\p{L}\p{N},;:'"“”’()-]\s{1,3})\p{Lu}\p{L}+/gu

/**
 * Whether a sentence has the kind of answer wanted: 1 or -1 per kind, 0 if it is not wanted. What the question itself
 * contains does not count.
 */
export function answersWanted(
  wanted: Wanted,
  question: string,
  words: ReadonlySet<string>,
): (text: string) => number[] {
  const asked = new Set(question.match(NUMBER))
  const sign = (wants: boolean, has: () => boolean) => (wants ? (has() ? 1 : -1) : 0)
  return (text) => {
    const counts = () => (text.match(NUMBER) ?? []).some((number) => !asked.has(number))
    const names = () => (text.match(CAPITAL) ?? []).some((word) => !words.has(word.toLowerCase()))
    return [
      sign(wanted.time, () => YEAR.test(text) && counts()),
      sign(wanted.amount, () => counts() || IN_WORDS.test(text)),
      sign(wanted.name, names),
    ]
  }
}
