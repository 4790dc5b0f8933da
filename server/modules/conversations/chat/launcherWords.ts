import { isRightToLeft } from '../../../../engine/values/languages'
import { languageCandidates } from '../../../../engine/values/languageTags'
import type { LanguageSettings } from '../../../contracts/web/settings'

/**
 * What the launcher's buttons are called, by language: to open the chat, and to close it. The page asks for one
 * language's alone.
 */
const words: Readonly<Record<string, readonly [open: string, close: string]>> = {
  en: ['Open the chat', 'Close'],
  af: ['Maak die klets oop', 'Maak toe'],
  ar: ['افتح المحادثة', 'إغلاق'],
  bg: ['Отвори чата', 'Затваряне'],
  bn: ['চ্যাট খুলুন', 'বন্ধ করুন'],
  ca: ['Obre el xat', 'Tanca'],
  cs: ['Otevřít chat', 'Zavřít'],
  da: ['Åbn chatten', 'Luk'],
  de: ['Chat öffnen', 'Schließen'],
  el: ['Άνοιγμα συνομιλίας', 'Κλείσιμο'],
  es: ['Abrir el chat', 'Cerrar'],
  et: ['Ava vestlus', 'Sulge'],
  fa: ['باز کردن گفتگو', 'بستن'],
  fi: ['Avaa keskustelu', 'Sulje'],
  fr: ['Ouvrir le chat', 'Fermer'],
  gu: ['ચેટ ખોલો', 'બંધ કરો'],
  he: ['פתיחת הצ׳אט', 'סגירה'],
  hi: ['चैट खोलें', 'बंद करें'],
  hr: ['Otvori razgovor', 'Zatvori'],
  hu: ['Csevegés megnyitása', 'Bezárás'],
  id: ['Buka obrolan', 'Tutup'],
  it: ['Apri la chat', 'Chiudi'],
  ja: ['チャットを開く', '閉じる'],
  ko: ['채팅 열기', '닫기'],
  lt: ['Atverti pokalbį', 'Uždaryti'],
  lv: ['Atvērt tērzēšanu', 'Aizvērt'],
  mr: ['चॅट उघडा', 'बंद करा'],
  ms: ['Buka sembang', 'Tutup'],
  nl: ['Chat openen', 'Sluiten'],
  no: ['Åpne chatten', 'Lukk'],
  pl: ['Otwórz czat', 'Zamknij'],
  pt: ['Abrir o chat', 'Fechar'],
  ro: ['Deschide conversația', 'Închide'],
  ru: ['Открыть чат', 'Закрыть'],
  sk: ['Otvoriť chat', 'Zavrieť'],
  sl: ['Odpri klepet', 'Zapri'],
  sr: ['Отвори разговор', 'Затвори'],
  sv: ['Öppna chatten', 'Stäng'],
  sw: ['Fungua gumzo', 'Funga'],
  ta: ['அரட்டையைத் திற', 'மூடு'],
  te: ['చాట్ తెరవండి', 'మూసివేయండి'],
  th: ['เปิดแชต', 'ปิด'],
  tl: ['Buksan ang chat', 'Isara'],
  tr: ['Sohbeti aç', 'Kapat'],
  uk: ['Відкрити чат', 'Закрити'],
  ur: ['چیٹ کھولیں', 'بند کریں'],
  vi: ['Mở trò chuyện', 'Đóng'],
  'zh-cn': ['打开聊天', '关闭'],
  'zh-tw': ['開啟聊天', '關閉'],
}

/**
 * In the first of the languages that has words here; else in English.
 * @param languages as browsers and settings name them, the preferred one first
 * @param own the editors' words by language, instead of these
 */
export function launcherWords(
  languages: readonly string[],
  own: LanguageSettings['texts'] = {},
): { open: string; close: string; dir: 'ltr' | 'rtl' } {
  const code = languages.flatMap(languageCandidates).find((name) => Object.hasOwn(words, name)) ?? 'en'
  const [open, close] = words[code] ?? ['Open the chat', 'Close']
  return {
    open: own[code]?.openChat || open,
    close: own[code]?.close || close,
    dir: isRightToLeft(code) ? 'rtl' : 'ltr',
  }
}

/** The languages of an Accept-Language header, as it has them: browsers put the wanted one first. */
export const acceptedLanguages = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
    .filter((name) => /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(name))
