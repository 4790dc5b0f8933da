import { ExternalLink, ListPlus, MousePointerClick, Split } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { counts } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import { listCardTexts, richCardText } from '../../src/text/face/cardTexts'
import { FaceRichText, isEmptyRichText, richTextHeight } from '../../src/text/face/FaceText'
import { SavedTo } from '../../src/text/face/SavedTo'
import { Chip, DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import type { ButtonOption, ButtonsData } from './schema'

const PROMPT_LINES = 4
const { line, row, rowGap } = faceMetrics

function ButtonsFace({ data, names }: FaceProps<ButtonsData>) {
  const { t } = useTranslation('blocks')
  return (
    <>
      {hasPrompt(data) && (
        <FaceRichText
          name="prompt"
          value={data.prompt}
          max={PROMPT_LINES}
          nameOf={names.variable}
          empty={t('buttons.face.empty')}
        />
      )}
      {data.list.variableId !== null && (
        <div className={styles.list} style={{ height: row, marginTop: hasPrompt(data) ? rowGap : 0 }}>
          <ListPlus size={12} aria-hidden />
          <span className={styles.label}>
            {t('buttons.face.list')} <Chip name={names.variable(data.list.variableId)} />
          </span>
        </div>
      )}
      {data.options.map((option, index) => (
        <div
          key={option.id}
          data-text={option.id}
          className={styles.option}
          style={{ height: row, marginTop: hasPrompt(data) || hasList(data) || index > 0 ? rowGap : 0 }}
        >
          <span className={isBlank(option) ? styles.blank : styles.label}>
            {isBlank(option) ? (
              t('buttons.face.option', { number: index + 1 })
            ) : (
              <DynamicView value={option.label} nameOf={names.variable} />
            )}
          </span>
          {option.condition && <Split size={12} aria-label={t('buttons.face.conditional')} />}
          {opensUrl(option) && <ExternalLink size={12} aria-label={t('buttons.face.opens')} />}
        </div>
      ))}
      {data.saveTo !== null && (
        <div style={{ marginTop: rowGap }}>
          <SavedTo name={names.variable(data.saveTo)} />
        </div>
      )}
    </>
  )
}

/** A question is optional; with neither question nor buttons, the face shows that something is missing. */
const hasPrompt = (data: ButtonsData): boolean =>
  !isEmptyRichText(data.prompt) || (data.options.length === 0 && !hasList(data))

const isBlank = ({ label }: ButtonOption): boolean => label.type === 'static' && label.value === ''

const opensUrl = ({ url }: ButtonOption): boolean => url !== undefined && (url.type === 'dynamic' || url.value !== '')

const hasList = ({ list }: ButtonsData): boolean => list.variableId !== null

/** The height above the options, including gaps. */
const topHeight = (data: ButtonsData, names: FaceNames): number =>
  (hasPrompt(data) ? richTextHeight(data.prompt, PROMPT_LINES, names.variable) + rowGap : 0) +
  (hasList(data) ? row + rowGap : 0)

const optionTexts = ({ options }: ButtonsData) =>
  listCardTexts({
    name: 'options',
    items: options,
    most: counts.options,
    create: (id): ButtonOption => ({ id, label: staticValue('') }),
  })

export const face: BlockFace<ButtonsData> = {
  icon: MousePointerClick,
  height: (data, names) =>
    topHeight(data, names) + data.options.length * (row + rowGap) - rowGap + (data.saveTo === null ? 0 : rowGap + line),
  rows: (data, names) =>
    data.options.map(({ id }, index) => ({ id, y: topHeight(data, names) + index * (row + rowGap) + row / 2 })),
  texts: (data) => [richCardText('prompt', hasPrompt(data)), ...optionTexts(data)],
  Component: ButtonsFace,
}
