import type { Peer } from '../../collab/peerState'
import type { Present } from '../../collab/presence'
import type { CanvasStore } from '../canvasStore'

/** Whether one client's view comes from another's, by however many between them. */
export function leadsTo(peers: ReadonlyMap<number, Pick<Peer, 'following'>>, from: number, to: number): boolean {
  const seen = new Set<number>()
  for (let at: number | null = from; at !== null && !seen.has(at); at = peers.get(at)?.following ?? null) {
    if (at === to) return true
    seen.add(at)
  }
  return false
}

/**
 * The tab of somebody that can be followed: the one whose pointer is over the canvas, else one that shows it. Null while all of them
 * show something else, or follow oneself.
 */
export function tabToFollow(
  { clientIds }: Pick<Present, 'clientIds'>,
  peers: ReadonlyMap<number, Peer>,
  ownClient: number,
): number | null {
  const tabs = clientIds.flatMap((id) => peers.get(id) ?? [])
  const open = tabs.filter(({ clientId, view }) => view !== null && !leadsTo(peers, clientId, ownClient))
  return (open.find(({ cursor }) => cursor !== null) ?? open[0])?.clientId ?? null
}

/** Lets one's own view follow another tab's; null lets it go. */
export function follow(store: CanvasStore, peer: Peer | null | undefined): void {
  store.setState({ following: peer ? { clientId: peer.clientId, person: peer.person } : null })
}
