/**
 * Gathers what comes up in one turn of the event loop and hands it on as a whole at its end, when everything that the
 * network has brought by then is in. Nobody waits for a clock: a single piece goes on in the turn that it came in.
 */
export const perTurn = <Piece>(take: (pieces: ReadonlyArray<Piece>) => void): ((piece: Piece) => void) => {
  let gathered: Array<Piece> = []
  const end = (): void => {
    const pieces = gathered
    gathered = []
    take(pieces)
  }
  return (piece) => {
    if (gathered.push(piece) === 1) setImmediate(end)
  }
}
