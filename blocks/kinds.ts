import { buttons } from './buttons/block'
import { condition } from './condition/block'
import { emailInput } from './email-input/block'
import { end } from './end/block'
import { goToBlock } from './go-to/block'
import { image } from './image/block'
import { numberInput } from './number-input/block'
import { placeholder } from './placeholder/block'
import { setVariableBlock } from './set-variable/block'
import { start } from './start/block'
import { text } from './text/block'
import { textInput } from './text-input/block'

/** Every block kind, in the order of the palette. */
export const kinds = [
  start,
  text,
  image,
  buttons,
  textInput,
  emailInput,
  numberInput,
  condition,
  setVariableBlock,
  goToBlock,
  end,
  placeholder,
]
