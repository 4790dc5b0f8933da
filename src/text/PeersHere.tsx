import { useTranslation } from 'react-i18next'
import { personColor } from '../ui/personColor'
import { usePeersInField } from './caretRoom'
import styles from './text.module.css'

/** Others who edit a field of the flow, in their colours; nothing if nobody does. */
export function PeersHere({ place }: { place: string }) {
  const { t, i18n } = useTranslation('text')
  const peers = usePeersInField(place)
  if (peers.length === 0) return null
  const names = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(peers.map(({ name }) => name))
  const said = t('peersHere', { count: peers.length, names })
  return (
    <span className={styles.peers} title={said}>
      {peers.map((peer) => (
        <span key={peer.id} className={styles.peerDot} style={personColor(peer)} />
      ))}
      <span className={styles.peersNames}>{said}</span>
    </span>
  )
}
