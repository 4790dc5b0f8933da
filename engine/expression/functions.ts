import { dateFunctions } from './functions/dates'
import type { ExpressionFunction } from './functions/define'
import { listFunctions } from './functions/lists'
import { numberFunctions } from './functions/numbers'
import { textFunctions } from './functions/texts'

/** Every function by its name; names that other languages use for the same are in it too, so that what is pasted works. */
export const functions: ReadonlyMap<string, ExpressionFunction> = new Map(
  [textFunctions, numberFunctions, listFunctions, dateFunctions].flatMap((group) => Object.entries(group)),
)
