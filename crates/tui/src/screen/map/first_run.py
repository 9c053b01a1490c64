import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

tickets = ["let me in", "my badge is lost", "two guests at noon"]
lengths = [len(ticket.split()) for ticket in tickets]

words = torch.tensor(lengths, dtype=torch.float32).to(device)
scores = words * 10
total = scores.sum().item()

print("total score", total)
if total > 100:
    print("send for help")
print("scores are on", scores.device)
