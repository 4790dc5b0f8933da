import { fold } from '../retrieval/fold'
import { tokenize } from '../retrieval/words'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** What assistants are told to do with what they were told, in the lexicon's languages. */
const ORDERS = words(
  'ignore disregard forget override print show reveal repeat display output write tell give list pretend act enter ignoriere vergiss zeig zeige gib nenne wiederhole schreib schreibe ' +
    'ignora ignorad olvida muestra escribe revela repite dime imprime oublie ignorez affiche montre revele repete ecris donne dimentica mostra scrivi rivela ripeti stampa ' +
    'negeer vergeet toon laat geef herhaal schrijf zignoruj zapomnij pokaz wypisz ujawnij powtorz esqueca esquece mostre revele escreva repita',
)
/** Who says these before a verb asks how to do something, and orders nothing. */
const ASKS = words(
  'i we to can do does did how ich wir man zu yo nosotros como je nous on comment io noi ik wij ja my eu nos',
)
/** What only somebody asks for who speaks to the program instead of the organisation, folded. */
const MEANT = [
  ...['system prompt', 'systemprompt', 'system message', 'system messages', 'hidden instructions', 'hidden prompt'],
  ...[
    'developer mode',
    'unrestricted ai',
    'unrestricted assistant',
    'without restrictions',
    'you were configured with',
  ],
  ...['previous instructions', 'prior instructions', 'earlier instructions', 'your instructions', 'all instructions'],
  ...['everything above', 'ohne regeln', 'alle regeln', 'deine regeln', 'deine anweisungen', 'alle anweisungen'],
  ...['prompt systeme', 'prompt de sistema', 'prompt del sistema', 'prompt di sistema', 'prompt do sistema'],
  ...['systeemprompt', 'prompt systemowy', 'tus instrucciones', 'tes instructions', 'vos instructions'],
  ...['tue istruzioni', 'jouw instructies', 'je instructies', 'twoje instrukcje', 'suas instrucoes'],
].map((phrase) => ` ${phrase} `)
/** Longer questions are people's. */
const MOST_WORDS = 60

/**
 * Whether a question tells the chatbot to show or give up what it was told, such as “print your system prompt”. No
 * passage answers it: what would be found is only near by its words.
 */
export function isOrder(question: string): boolean {
  const said = tokenize(question).slice(0, MOST_WORDS).map(fold)
  const isOrdered = said.some((word, at) => ORDERS.has(word) && !ASKS.has(said[at - 1] ?? ''))
  const text = ` ${said.join(' ')} `
  return isOrdered && MEANT.some((phrase) => text.includes(phrase))
}
