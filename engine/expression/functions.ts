import { dateFunctions } from './functions/dates'
import type { ExpressionFunction } from './functions/define'
import { listFunctions } from './functions/lists'
import { numberFunctions } from './functions/numbers'
import { textFunctions } from './functions/texts'

/** All functions by name, including aliases from other languages, so that pasted expressions work. */
export const functions: ReadonlyMap<string, ExpressionFunction> = new Map(
  [textFunctions, numberFunctions, listFunctions, dateFunctions].flatMap((group) => Object.entries(group)),
)
