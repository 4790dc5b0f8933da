/** Two short tones, quiet enough for an office. Browsers keep them from pages that nobody has touched yet. */
export function playSound(): void {
  const context = new AudioContext()
  const volume = context.createGain()
  volume.connect(context.destination)
  for (const [at, pitch] of [
    [0, 660],
    [0.14, 880],
  ] as const) {
    const tone = context.createOscillator()
    tone.frequency.value = pitch
    tone.connect(volume)
    tone.start(context.currentTime + at)
    tone.stop(context.currentTime + at + 0.12)
  }
  volume.gain.setValueAtTime(0.08, context.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.3)
  setTimeout(() => void context.close(), 500)
}
