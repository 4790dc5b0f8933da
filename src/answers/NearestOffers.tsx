import type { Suggestion } from '../../server/contracts/answers'
import { Button } from '../ui/Button'
import styles from './answerParts.module.css'

interface NearestOffersProps {
  offers: readonly Suggestion[]
  /** absent: another question was asked since */
  onChoose: ((suggestion: Suggestion) => void) | undefined
}

/** The questions and sections nearest to one that nothing answers, as visitors can choose them. */
export function NearestOffers({ offers, onChoose }: NearestOffersProps) {
  return (
    <ul className={styles.offers}>
      {offers.map((offer) => (
        <li key={offer.id}>
          <Button size="s" disabled={!onChoose} onClick={() => onChoose?.(offer)}>
            {offer.label}
          </Button>
        </li>
      ))}
    </ul>
  )
}
