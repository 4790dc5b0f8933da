import { languageCandidates } from '../../../engine/values/languageTags'

/** What stands on the button that opens a list, and on the one that skips a question. */
export interface ButtonWords {
  choose: string
  skip: string
}

const words: Readonly<Record<string, readonly [choose: string, skip: string]>> = {
  en: ['Choose', 'Skip'],
  af: ['Kies', 'Slaan oor'],
  ar: ['اختر', 'تخطٍّ'],
  bg: ['Изберете', 'Пропусни'],
  bn: ['বেছে নিন', 'এড়িয়ে যান'],
  ca: ['Trieu', 'Omet'],
  cs: ['Vyberte', 'Přeskočit'],
  da: ['Vælg', 'Spring over'],
  de: ['Auswählen', 'Überspringen'],
  el: ['Επιλέξτε', 'Παράλειψη'],
  es: ['Elegir', 'Omitir'],
  et: ['Valige', 'Jäta vahele'],
  fa: ['انتخاب کنید', 'رد کردن'],
  fi: ['Valitse', 'Ohita'],
  fr: ['Choisir', 'Passer'],
  gu: ['પસંદ કરો', 'છોડો'],
  he: ['בחרו', 'דילוג'],
  hi: ['चुनें', 'छोड़ें'],
  hr: ['Odaberite', 'Preskoči'],
  hu: ['Válasszon', 'Kihagyás'],
  id: ['Pilih', 'Lewati'],
  it: ['Scegli', 'Salta'],
  ja: ['選択', 'スキップ'],
  ko: ['선택', '건너뛰기'],
  lt: ['Pasirinkite', 'Praleisti'],
  lv: ['Izvēlieties', 'Izlaist'],
  mr: ['निवडा', 'वगळा'],
  ms: ['Pilih', 'Langkau'],
  nl: ['Kies', 'Overslaan'],
  no: ['Velg', 'Hopp over'],
  pl: ['Wybierz', 'Pomiń'],
  'pt-br': ['Escolher', 'Pular'],
  pt: ['Escolher', 'Saltar'],
  ro: ['Alegeți', 'Omite'],
  ru: ['Выбрать', 'Пропустить'],
  sk: ['Vyberte', 'Preskočiť'],
  sl: ['Izberite', 'Preskoči'],
  sr: ['Изаберите', 'Прескочи'],
  sv: ['Välj', 'Hoppa över'],
  sw: ['Chagua', 'Ruka'],
  ta: ['தேர்ந்தெடுக்கவும்', 'தவிர்'],
  te: ['ఎంచుకోండి', 'దాటవేయి'],
  th: ['เลือก', 'ข้าม'],
  tl: ['Pumili', 'Laktawan'],
  tr: ['Seçin', 'Atla'],
  uk: ['Вибрати', 'Пропустити'],
  ur: ['چنیں', 'چھوڑیں'],
  vi: ['Chọn', 'Bỏ qua'],
  'zh-cn': ['请选择', '跳过'],
  'zh-tw': ['請選擇', '略過'],
}

/** The words in the visitor's language, else in English. */
export function buttonWords(language: string | null): ButtonWords {
  const known = language === null ? undefined : languageCandidates(language).find((code) => Object.hasOwn(words, code))
  const [choose, skip] = words[known ?? 'en'] ?? ['Choose', 'Skip']
  return { choose, skip }
}
