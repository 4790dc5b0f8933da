import type { DynamicValue } from '../values/dynamicValue'
import { functions } from './functions'
import { type Parsed, parseWith } from './parse'

/** Parses an expression; README.md describes the language. Never throws. */
export const parseExpression = (value: DynamicValue): Parsed => parseWith(value, (name) => functions.get(name))
