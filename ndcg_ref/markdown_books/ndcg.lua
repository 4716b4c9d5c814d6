-- Marks the numbers of a text: pandoc lecture.md --lua-filter "$(ndcg-ref pandoc)"
function Pandoc(document)
  local words = {"pandoc", "--mark", table.unpack(PANDOC_STATE.input_files)}
  return pandoc.read(pandoc.pipe("ndcg-ref", words, pandoc.write(document, "json")), "json")
end
