import { CircleDot, Smile, Square, Star, TextCursorInput } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { listCardTexts, richCardText } from '../../src/text/face/cardTexts'
import { FaceRichText, FaceText, isEmptyRichText, richTextHeight } from '../../src/text/face/FaceText'
import { SavedTo } from '../../src/text/face/SavedTo'
import { DynamicView, type NameOf } from '../../src/text/RichTextView'
import { type BlockFace, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import { type ChoiceOption, levelCount, range, type SatisfactionData } from './schema'

const PROMPT_LINES = 4
/** Options that are shown; the others are counted. */
const SHOWN = 5
const { line, row, rowGap } = faceMetrics

function SatisfactionFace({ data, names }: FaceProps<SatisfactionData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      {!isEmptyRichText(data.prompt) && (
        <div style={{ paddingBottom: rowGap }}>
          <FaceRichText
            name="prompt"
            value={data.prompt}
            max={PROMPT_LINES}
            nameOf={names.variable}
            empty={t('satisfaction.face.empty')}
          />
        </div>
      )}
      <Answer data={data} nameOf={names.variable} />
      {data.saveTo !== null && (
        <div style={{ marginTop: rowGap }}>
          <SavedTo name={names.variable(data.saveTo)} />
        </div>
      )}
    </>
  )
}

function Answer({ data, nameOf }: { data: SatisfactionData; nameOf: NameOf }) {
  const { t } = useTranslation('blocks')
  if (data.answer === 'rating')
    return data.scale === 'text' ? <Words levels={data.levels} nameOf={nameOf} /> : <Scale data={data} />
  if (data.answer === 'text')
    return (
      <div className={styles.option} style={{ height: line }}>
        <TextCursorInput size={13} aria-hidden />
        <span className={styles.faint}>{t('satisfaction.face.text')}</span>
      </div>
    )
  if (data.options.length === 0)
    return (
      <FaceText lines={1} faint>
        {t('satisfaction.face.noOptions')}
      </FaceText>
    )
  const Mark = data.answer === 'single' ? CircleDot : Square
  const rest = data.options.length - SHOWN
  return (
    <>
      {data.options.slice(0, SHOWN).map((option, index) => (
        <div key={option.id} className={styles.option} style={{ height: line }}>
          <Mark size={13} aria-hidden />
          <Label option={option} number={index + 1} nameOf={nameOf} />
        </div>
      ))}
      {rest > 0 && (
        <FaceText lines={1} faint>
          {t('satisfaction.face.more', { count: rest })}
        </FaceText>
      )}
    </>
  )
}

function Label({ option, number, nameOf }: { option: ChoiceOption; number: number; nameOf: NameOf }) {
  const { t } = useTranslation('blocks')
  const isBlank = option.label.type === 'static' && option.label.value.trim() === ''
  return (
    <span className={isBlank ? styles.faint : styles.label} data-text={option.id}>
      {isBlank ? t('satisfaction.face.option', { number }) : <DynamicView value={option.label} nameOf={nameOf} />}
    </span>
  )
}

/** The ends of a scale of words, which are too long to be side by side, with a dot for each one between. */
function Words({ levels, nameOf }: { levels: readonly ChoiceOption[]; nameOf: NameOf }) {
  const [first, last] = [levels[0], levels.at(-1)]
  return (
    <div className={styles.words} style={{ height: row }}>
      {first && <Label option={first} number={1} nameOf={nameOf} />}
      <span className={styles.dots} aria-hidden>
        {levels.slice(1, -1).map(({ id }) => (
          <i key={id} />
        ))}
      </span>
      {last && <Label option={last} number={levels.length} nameOf={nameOf} />}
    </div>
  )
}

/** The scale as visitors see it, small; ratings that count as low are tinted. */
function Scale({ data }: { data: SatisfactionData }) {
  const { t } = useTranslation('blocks')
  const [first, last] = range(data)
  const values = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return (
    <div
      className={styles.scale}
      style={{ height: row }}
      role="img"
      aria-label={t('satisfaction.face.scale', { count: values.length })}
    >
      {values.map((value, index) => {
        const low = (data.low !== null && value <= data.low) || undefined
        return (
          <span key={value} className={data.scale === 'numbers' ? styles.number : styles.mark} data-low={low}>
            {data.scale === 'emoji' && <Mood mood={(2 * index) / (values.length - 1) - 1} />}
            {data.scale === 'stars' && <Star size={values.length > 8 ? 14 : 18} />}
            {data.scale === 'numbers' && value}
          </span>
        )
      })}
    </div>
  )
}

/** @param mood from -1, the worst, to 1, the best */
const Mood = ({ mood }: { mood: number }) => (
  <svg
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    aria-hidden="true"
  >
    <circle cx="12" cy="12" r="9.5" />
    <circle cx="8.7" cy="9.8" r="0.7" fill="currentColor" />
    <circle cx="15.3" cy="9.8" r="0.7" fill="currentColor" />
    <path d={`M7.6 ${15.3 - mood * 1.2}Q12 ${15.3 + mood * 4} 16.4 ${15.3 - mood * 1.2}`} strokeLinecap="round" />
  </svg>
)

function answerHeight({ answer, options }: SatisfactionData): number {
  if (answer === 'rating') return row
  if (answer === 'text') return line
  return line * Math.max(1, Math.min(options.length, SHOWN + 1))
}

const createOption = (id: string): ChoiceOption => ({ id, label: staticValue('') })

/** The texts: the options of a choice, or the words of a scale. */
function answerTexts({ answer, scale, options, levels }: SatisfactionData) {
  if (answer === 'rating')
    return scale === 'text'
      ? listCardTexts({
          name: 'levels',
          items: levels,
          most: levelCount.max,
          fewest: levelCount.min,
          isShown: (place) => place === 0 || place === levels.length - 1,
          create: createOption,
        })
      : []
  if (answer === 'text') return []
  const isShown = (place: number) => place < SHOWN
  return listCardTexts({ name: 'options', items: options, most: counts.options, isShown, create: createOption })
}

export const face: BlockFace<SatisfactionData> = {
  icon: Smile,
  height: (data, names) =>
    (isEmptyRichText(data.prompt) ? 0 : richTextHeight(data.prompt, PROMPT_LINES, names.variable) + rowGap) +
    answerHeight(data) +
    (data.saveTo === null ? 0 : rowGap + line),
  texts: (data) => [richCardText('prompt', !isEmptyRichText(data.prompt)), ...answerTexts(data)],
  Component: SatisfactionFace,
}
