import { fieldsOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { answerVariable, noteButton, noteOthers } from '../../engine/interop/settings'
import { plainRichText } from '../../engine/values/richText'
import { pointCount, satisfactionDefaults } from './schema'

/**
 * A rating by numbers or icons. The labels at the scale's ends become the question, which is a separate text in the
 * product.
 */
export const satisfactionFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['rating input'],
  map(block, context) {
    const options = fieldsOf(block.options)
    const labels = fieldsOf(options.labels)
    noteButton(labels.button, context)
    noteOthers(labels, ['button', 'left', 'right'], context)
    noteOthers(options, ['variableId', 'length', 'startsAt', 'buttonType', 'labels', 'customIcon', ...UNHEARD], context)
    if (fieldsOf(options.customIcon).isEnabled === true) context.note('Its own icon becomes a star.')
    const icons = options.buttonType === 'Icons'
    const wanted = Math.round(numberOf(options.length) ?? pointCount.max)
    const points = Math.min(Math.max(wanted, pointCount.min), pointCount.max)
    if (points !== wanted) context.note(`Its scale of ${wanted} becomes one of ${points}.`)
    const zero = !icons && numberOf(options.startsAt) === 0
    const [left, right] = [textOf(labels.left).trim(), textOf(labels.right).trim()]
    const ends = [left && `${zero ? 0 : 1} = ${left}`, right && `${points} = ${right}`].filter(Boolean).join(', ')
    return {
      data: {
        ...satisfactionDefaults(context.id),
        prompt: ends ? context.richText(ends) : plainRichText(''),
        scale: icons ? 'stars' : 'numbers',
        points,
        zero,
        low: null,
        required: true,
        saveTo: answerVariable(options.variableId, context),
      },
      ports: { default: 'next' },
    }
  },
}

/** Here one tap always answers. */
const UNHEARD = ['isOneClickSubmitEnabled']
