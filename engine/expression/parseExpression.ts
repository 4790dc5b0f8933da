import type { DynamicValue } from '../values/dynamicValue'
import { functions } from './functions'
import { type Parsed, parseWith } from './parse'

/** Reads an expression: see README.md for the language. Never throws. */
export const parseExpression = (value: DynamicValue): Parsed => parseWith(value, (name) => functions.get(name))
