import { ExternalLink, GalleryHorizontalEnd, Image as Picture } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { caps } from '../../engine/values/caps'
import { dynamicValueToString } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { lineCardText, listCardTexts } from '../../src/text/face/cardTexts'
import { FaceText } from '../../src/text/face/FaceText'
import { SavedTo } from '../../src/text/face/SavedTo'
import { shownAddress } from '../../src/text/face/Thumbnail'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type CardText, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import styles from './face.module.css'
import { answers, type Card, type CarouselData, isEmptyValue, most, newButton, newCard } from './schema'

const { line, row, rowGap } = faceMetrics
/** A card's image beside its title and description. */
const HEAD = 2 * line
const CARD_GAP = 10

function CarouselFace({ data, names }: FaceProps<CarouselData>) {
  const { t } = useTranslation('blocks')
  if (data.items.length === 0)
    return (
      <FaceText lines={1} faint>
        {t('carousel.face.empty')}
      </FaceText>
    )
  return (
    <>
      {data.items.map((card, at) => (
        <Fragment key={card.id}>
          <Head card={card} number={at + 1} nameOf={names.variable} top={at === 0 ? 0 : CARD_GAP} />
          {card.buttons.map((button, index) => (
            <div
              key={button.id}
              className={styles.button}
              data-text={button.id}
              style={{ height: row, marginTop: rowGap }}
            >
              <span className={isEmptyValue(button.label) ? styles.blank : styles.label}>
                {isEmptyValue(button.label) ? (
                  t('carousel.face.button', { number: index + 1 })
                ) : (
                  <DynamicView value={button.label} nameOf={names.variable} />
                )}
              </span>
              {!answers(button) && <ExternalLink size={12} aria-label={t('carousel.face.opens')} />}
            </div>
          ))}
        </Fragment>
      ))}
      {savedTo(data).map((id) => (
        <div key={id} style={{ marginTop: rowGap }}>
          <SavedTo name={names.variable(id)} />
        </div>
      ))}
    </>
  )
}

function Head(props: { card: Card; number: number; nameOf: FaceProps['names']['variable']; top: number }) {
  const { card, number, nameOf, top } = props
  const { t } = useTranslation('blocks')
  const image = shownAddress(card.image)
  return (
    <div className={styles.head} style={{ height: HEAD, marginTop: top }}>
      <span className={styles.picture}>
        {image === null ? (
          <Picture size={16} aria-label={isEmptyValue(card.image) ? t('carousel.face.noPicture') : undefined} />
        ) : (
          <img key={image} src={image} alt="" loading="lazy" draggable={false} referrerPolicy="no-referrer" />
        )}
      </span>
      <span className={styles.words}>
        <strong className={isEmptyValue(card.title) ? styles.blank : styles.label} data-text={card.id}>
          {isEmptyValue(card.title) ? (
            t('carousel.face.card', { number })
          ) : (
            <DynamicView value={card.title} nameOf={nameOf} />
          )}
        </strong>
        {!isEmptyValue(card.description) && (
          <span className={styles.description} data-text={`${card.id}.description`}>
            <DynamicView value={card.description} nameOf={nameOf} />
          </span>
        )}
      </span>
    </div>
  )
}

const savedTo = (data: CarouselData): string[] =>
  [...new Set([data.saveTo, data.saveCardTo])].filter((id) => id !== null)

/** The top of each card, and the middle of each button. */
function layout(data: CarouselData): { height: number; rows: { id: string; y: number }[] } {
  const rows: { id: string; y: number }[] = []
  let y = 0
  for (const [at, card] of data.items.entries()) {
    y += HEAD + (at === 0 ? 0 : CARD_GAP)
    for (const { id } of card.buttons) {
      rows.push({ id, y: y + rowGap + row / 2 })
      y += rowGap + row
    }
  }
  return { height: Math.max(y, line) + savedTo(data).length * (rowGap + line), rows }
}

/** Each card's title, its description if it is one line, and its buttons. */
const cardTexts = ({ items }: CarouselData): CardText[] =>
  listCardTexts({
    name: 'items',
    items,
    most: most.cards,
    fewest: 1,
    part: 'title',
    max: caps.cardTitle,
    isRemovable: ({ description, image, buttons }) =>
      buttons.length === 0 && isEmptyValue(description) && isEmptyValue(image),
    create: (id) => newCard(() => id),
  }).flatMap((title, at) => {
    const card = items[at]
    return card ? [title, ...descriptionText(card, at), ...buttonTexts(items, card, at)] : []
  })

const descriptionText = ({ id, description }: Card, at: number): CardText[] =>
  isEmptyValue(description) || dynamicValueToString(description, () => '').includes('\n')
    ? []
    : [{ ...lineCardText(`items.${at}.description`, caps.cardDescription), key: `${id}.description` }]

const buttonTexts = (items: readonly Card[], card: Card, at: number): CardText[] =>
  listCardTexts({
    name: `items.${at}.buttons`,
    items: card.buttons,
    most: most.buttons,
    create: (id) => newButton(() => id),
    write: (buttons) => ({ items: items.with(at, { ...card, buttons: [...buttons] }) as unknown as Json }),
  })

export const face: BlockFace<CarouselData> = {
  icon: GalleryHorizontalEnd,
  height: (data) => layout(data).height,
  rows: (data) => layout(data).rows,
  texts: cardTexts,
  Component: CarouselFace,
}
