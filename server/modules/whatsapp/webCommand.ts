import { languageCandidates } from '../../../engine/values/languageTags'

/** What people write, as commands are written at WhatsApp: a word that answers no question by chance. */
const COMMAND = '/web'

/** Whether a message asks for a link by which its writer goes on on the web. */
export const asksForWeb = (text: string): boolean =>
  text.length <= COMMAND.length + 4 && text.trim().toLowerCase() === COMMAND

const words: Readonly<Record<string, readonly [link: string, none: string]>> = {
  en: [
    'Go on on the web with this link. It is for you alone: it works once, for 15 minutes.',
    'This chat can’t go on on the web just now.',
  ],
  de: [
    'Mit diesem Link schreiben Sie im Web weiter. Er ist nur für Sie: Er gilt einmal und 15 Minuten lang.',
    'Dieser Chat kann gerade nicht im Web weitergehen.',
  ],
  es: [
    'Siga en la web con este enlace. Es solo para usted: funciona una vez, durante 15 minutos.',
    'Este chat no puede seguir en la web ahora.',
  ],
  fr: [
    'Continuez sur le Web avec ce lien. Il est pour vous seul : il fonctionne une fois, pendant 15 minutes.',
    'Ce chat ne peut pas continuer sur le Web pour l’instant.',
  ],
  it: [
    'Continui sul web con questo link. È solo per lei: funziona una volta, per 15 minuti.',
    'Questa chat non può continuare sul web in questo momento.',
  ],
  nl: [
    'Ga met deze link verder op het web. Hij is alleen voor u: hij werkt één keer, 15 minuten lang.',
    'Deze chat kan nu niet op het web verdergaan.',
  ],
  pl: [
    'Kontynuuj w przeglądarce, używając tego linku. Jest tylko dla Ciebie: działa raz, przez 15 minut.',
    'Ten czat nie może teraz być kontynuowany w przeglądarce.',
  ],
  pt: [
    'Continue na web com este link. É só para si: funciona uma vez, durante 15 minutos.',
    'Este chat não pode continuar na web agora.',
  ],
}

/** What a command is answered by. @param link null: the chatbot’s page is not open to everybody */
export function webAnswer(language: string | null, link: string | null): string {
  const candidates = language === null ? [] : languageCandidates(language)
  const [offer, none] = words[candidates.find((each) => words[each] !== undefined) ?? 'en'] ?? ['', '']
  return link === null ? none : `${offer}\n${link}`
}
