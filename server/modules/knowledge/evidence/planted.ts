import { fold, plainCase } from '../retrieval/fold'
import { tokenize } from '../retrieval/words'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Who is spoken to, in the lexicon's languages. */
const ADDRESSED = words('chatbot chatbots llm llms ai ia ki conversationnels sprachmodelle')
const MAY_ADDRESS = new RegExp([...ADDRESSED].join('|'))
/** What is to be given up. */
const GIVE_UP = words(
  'ignore disregard forget override ignoriere ignoriert vergiss vergesst ignora ignorad olvida olvidad olvide oubliez oublie ignorez dimentica dimenticate ignorate negeer vergeet zignoruj zapomnij esqueca',
)
const RULES = words(
  'instructions instruction rules rule prompt prompts guidelines anweisungen anweisung regeln instrucciones reglas consignes regles istruzioni regole instructies regels instrukcje zasady instrucoes regras',
)
/** “Never ignore the instructions” is no such order. */
const NEGATIONS = words('not never dont t nicht nie niemals no nunca ne jamais non mai niet nooit nao')
/** Words of an order, at most so far from each other: “disregard your earlier rules”. */
const NEAR = 6

/** Whether a block tells assistants to give up their instructions: nobody else is told so on a website. */
export function isPlanted(block: string): boolean {
  // most texts speak to nobody: told before they are taken apart
  if (!MAY_ADDRESS.test(plainCase(block))) return false
  const said = tokenize(block).map(fold)
  if (!said.some((word) => ADDRESSED.has(word))) return false
  let order = Number.NEGATIVE_INFINITY
  return said.some((word, at) => {
    if (GIVE_UP.has(word) && !said.slice(Math.max(0, at - 2), at).some((before) => NEGATIONS.has(before))) order = at
    return RULES.has(word) && at - order <= NEAR
  })
}
