/** What people write to be left alone, and to be written to again, by language. */
const stop: Readonly<Record<string, readonly string[]>> = {
  en: ['stop', 'unsubscribe', 'stop promotions', 'opt out', 'remove me'],
  ar: ['توقف', 'إلغاء الاشتراك', 'الغاء الاشتراك'],
  bg: ['спри', 'отписване'],
  cs: ['odhlásit', 'přestaňte'],
  da: ['afmeld', 'stop'],
  de: ['stopp', 'abmelden', 'abbestellen', 'keine werbung'],
  el: ['στοπ', 'διαγραφή'],
  es: ['baja', 'darme de baja', 'cancelar suscripción', 'no más mensajes'],
  fa: ['لغو', 'توقف'],
  fi: ['lopeta', 'peru tilaus'],
  fr: ['arrêt', 'arrêter', 'arreter', 'désabonner', 'se désabonner', 'me désabonner'],
  he: ['הסר', 'הסרה'],
  hi: ['रोकें', 'बंद करें'],
  hu: ['leiratkozás', 'leiratkozom'],
  id: ['berhenti', 'berhenti langganan'],
  it: ['disiscrivimi', 'cancellami', 'basta messaggi'],
  ja: ['停止', '配信停止'],
  ko: ['수신거부', '중지'],
  nl: ['afmelden', 'uitschrijven'],
  no: ['meld meg av', 'avslutt'],
  pl: ['wypisz', 'rezygnuję'],
  pt: ['sair', 'descadastrar', 'cancelar inscrição', 'cancelar subscrição'],
  ro: ['dezabonare', 'opriți'],
  ru: ['стоп', 'отписаться'],
  sv: ['avsluta', 'avregistrera'],
  th: ['หยุด', 'ยกเลิกการรับข่าวสาร'],
  tr: ['iptal', 'abonelikten çık'],
  uk: ['відписатися', 'стоп'],
  vi: ['dừng', 'hủy đăng ký'],
  'zh-cn': ['退订', '停止'],
  'zh-tw': ['退訂', '停止'],
}
const start: readonly string[] = ['start', 'unstop', 'resubscribe']

const stops: ReadonlySet<string> = new Set(Object.values(stop).flat())
const starts: ReadonlySet<string> = new Set(start)
/** The longest word of those above is shorter. */
const MOST = 60

/**
 * Whether a message says nothing but that its writer wants to be left alone, or written to again, in whatever language:
 * WhatsApp does not say which one people speak.
 */
export function optWord(text: string): 'stop' | 'start' | null {
  if (text.length > MOST) return null
  const word = text
    .normalize('NFC')
    .replace(/[\s.!?。！？"'“”]+/g, ' ')
    .trim()
    .toLowerCase()
  return stops.has(word) ? 'stop' : starts.has(word) ? 'start' : null
}
